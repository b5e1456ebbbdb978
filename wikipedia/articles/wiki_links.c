/*
 * wiki_links.c - see wiki_links.h.
 */
#include "wiki_links.h"
#include "base/pw_assert.h"
#include "data/make/sort_ids.h"
#include "wiki_rows.h"
#include "wiki_templates.h"

static bool links_begin(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const bool has_titles = schema->has[2] && schema->has[3];
    state->has_target_column = schema->has[1] && (state->has_targets || !has_titles);
    if (!has_titles && !schema->has[1]) {
        return sql_fail(
            rule,
            "table pagelinks has neither a column pl_target_id nor pl_namespace and pl_title");
    }
    if (schema->has[1] && !state->has_targets && !has_titles && !state->options->allow_incomplete) {
        return sql_fail(rule,
                        "the links name their targets by id, and there is no dump of linktarget");
    }
    if (!has_titles) { /* no title is looked up any more */
        title_table_free_slots(&state->titles);
    }
    return true;
}

/* Of the ends of links, a template is just a page of another namespace. */
static void hide_templates(const struct wiki_state *state, uint32_t *ends, size_t count)
{
    for (size_t i = 0; state->options->without_templates && i < count; i++) {
        ends[i] = title_is_template(ends[i]) ? (uint32_t)TITLE_ELSEWHERE : ends[i];
    }
}

/* Find the ends of the links in a batch. */
static const char *find_targets(const struct wiki_state *state,
                                struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                                uint32_t ends[SQL_BATCH], size_t *bad)
{
    bool has_titles = !state->has_target_column;
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *id = &rows[i][1];
        has_titles |= id->kind != SQL_NUMBER;
        if (id->kind == SQL_NUMBER && id->number < state->target_count) {
            __builtin_prefetch(&state->targets[id->number]); /* they lie anywhere in 400 MB */
        }
    }
    if (has_titles) {
        const char *wrong = wiki_find_ends(state, rows, count, 2, 3, false, ends, bad);
        if (wrong != NULL) {
            return wrong;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *id = &rows[i][1];
        if (id->kind == SQL_NUMBER && state->has_target_column) {
            ends[i] = wiki_end_of_target(state, id->number);
        }
    }
    hide_templates(state, ends, count);
    return NULL;
}

/* The page whose links a worker is reading; kept from batch to batch. */
enum { LAST_PAGE, LAST_END, LAST_NUMBER, LAST_RUN };

/* The end of a page that is no title: a template, if it is one and no redirect. */
static uint32_t find_template(const struct wiki_state *state, uint32_t page_id)
{
    const struct title_table *titles = &state->templates.titles;
    const uint32_t number = title_table_find_page(titles, page_id, titles->count);
    return number != TITLE_NONE && titles->ends[number] == TITLE_NODE + number
               ? TITLE_TEMPLATE | number
               : (uint32_t)TITLE_UNKNOWN;
}

/* The links of another page begin: find its end. */
static void change_source(const struct wiki_state *state, uint64_t memory[4], uint32_t page_id)
{
    const uint32_t number =
        title_table_find_page(&state->titles, page_id, (uint32_t)memory[LAST_NUMBER]);
    memory[LAST_PAGE] = (uint64_t)page_id + 1;
    memory[LAST_END] = number != TITLE_NONE                ? state->titles.ends[number]
                       : state->options->without_templates ? find_template(state, page_id)
                                                           : (uint32_t)TITLE_UNKNOWN;
    memory[LAST_NUMBER] = number == TITLE_NONE ? memory[LAST_NUMBER] : number;
    memory[LAST_RUN] = 0;
}

/* Add links of a template: those to nodes are appended to its links in output, which has room. They
 * are counted as the links of any page that is no node. */
static void add_template_links(struct sql_output *output, const uint32_t *ends, size_t count)
{
    uint32_t *words = (void *)output->bytes;
    size_t used = output->used / sizeof(*words), run = output->memory[LAST_RUN];
    if (run == 0) { /* the template, and the number of links */
        words[used] = (uint32_t)output->memory[LAST_END];
        used += 2;
        run = used;
    }
    for (size_t i = 0; i < count; i++) {
        words[used] = (ends[i] & ~TITLE_THROUGH) - TITLE_NODE;
        used += (ends[i] & ~TITLE_THROUGH) >= TITLE_NODE;
    }
    output->counts[WIKI_LINKS_OF_OTHERS] += count;
    words[run - 1] = (uint32_t)(used - run);
    output->used = (used > run ? used : run - 2) * sizeof(*words);
    output->memory[LAST_RUN] = used > run ? run : 0;
}

/* Add links of a page: of these ends, the valid ones are appended to the page's links in output.
 * Returns NULL, or the rule that is broken. */
static const char *add_links(const struct wiki_state *state, struct sql_output *output,
                             const struct sql_value *page, const uint32_t *ends, size_t count)
{
    static const enum wiki_count what[TITLE_NODE] = {
        [TITLE_UNKNOWN] = WIKI_LINKS_UNKNOWN,     [TITLE_RED] = WIKI_LINKS_RED,
        [TITLE_ELSEWHERE] = WIKI_LINKS_ELSEWHERE, [TITLE_DROPPED] = WIKI_LINKS_DROPPED,
        [TITLE_MISSING] = WIKI_LINKS_BROKEN,      [TITLE_CIRCLE] = WIKI_LINKS_BROKEN,
        [TITLE_UNLISTED] = WIKI_LINKS_BROKEN,     [TITLE_TO_DROPPED] = WIKI_LINKS_DROPPED,
    };
    const bool keep = state->options->keep_self_links;
    uint64_t *counts = output->counts, through = 0, self = 0;
    uint8_t dropped[SQL_BATCH]; /* counted after the loop, which then needs no branch */
    size_t drops = 0;
    pw_assert(count <= SQL_BATCH);
    if (sql_output_room(output, (count + 2) * sizeof(uint32_t)) == NULL ||
        wiki_check_id(page) != NULL) {
        return wiki_check_id(page) != NULL ? wiki_check_id(page) : wiki_no_memory;
    }
    uint32_t *words = (void *)output->bytes;
    size_t used = output->used / sizeof(*words), run = output->memory[LAST_RUN];
    if (output->memory[LAST_PAGE] != page->number + 1) {
        if (run > 0) { /* mostly a whole list, sorted here in parallel */
            sort_ids(words + run, used - run);
        }
        change_source(state, output->memory, (uint32_t)page->number);
        run = 0;
    }
    counts[WIKI_LINK_ROWS] += count;
    const uint32_t source = (uint32_t)output->memory[LAST_END];
    if (title_is_template(source)) {
        add_template_links(output, ends, count);
        return NULL;
    }
    if (source < TITLE_NODE || (source & TITLE_THROUGH) != 0) {
        counts[source == TITLE_UNKNOWN   ? WIKI_LINKS_OF_OTHERS
               : source == TITLE_DROPPED ? WIKI_LINKS_OF_DROPPED
                                         : WIKI_LINKS_OF_REDIRECTS] += count;
        return NULL;
    }
    if (run == 0) { /* the page, and the number of links */
        words[used] = source - TITLE_NODE;
        used += 2;
        run = used;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t end = ends[i] & ~TITLE_THROUGH;
        dropped[drops] = (uint8_t)end;
        drops += end < TITLE_NODE;
        through += (end >= TITLE_NODE) & (end != ends[i]);
        self += end == source;
        words[used] = end - TITLE_NODE;
        used += (end >= TITLE_NODE) & ((end != source) | keep);
    }
    for (size_t i = 0; i < drops; i++) {
        counts[what[dropped[i]]]++;
    }
    counts[WIKI_LINKS_THROUGH] += through;
    counts[WIKI_LINKS_SELF] += self;
    words[run - 1] = (uint32_t)(used - run);
    output->used = (used > run ? used : run - 2) * sizeof(*words);
    output->memory[LAST_RUN] = used > run ? run : 0;
    return NULL;
}

static const char *link_rows(void *context, struct sql_output *output,
                             struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    const struct wiki_state *state = context;
    uint32_t ends[SQL_BATCH];
    const char *wrong = find_targets(state, rows, count, ends, bad);
    for (size_t first = 0, end; wrong == NULL && first < count; first = end) {
        for (end = first + 1; end < count && rows[end][0].number == rows[first][0].number;) {
            end++;
        }
        *bad = first;
        wrong = add_links(state, output, &rows[first][0], ends + first, end - first);
    }
    return wrong;
}

static bool link_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const uint32_t *words = (const void *)output->bytes;
    const size_t used = output->used / sizeof(*words);
    state->pass_rows += output->counts[WIKI_LINK_ROWS];
    if (state->is_counting) {
        wiki_add_counts(state, output);
    }
    for (size_t at = 0; at < used; at += 2 + words[at + 1]) {
        pw_assert(words[at + 1] > 0 && at + 2 + words[at + 1] <= used);
        if (title_is_template(words[at])) {
            if (state->is_counting && !wiki_templates_take(state, words + at, rule)) {
                return false;
            }
        } else if (!link_table_take(&state->links, words[at], words + at + 2, words[at + 1])) {
            return sql_fail(rule, "the links cannot be kept: %s", link_table_reason());
        }
    }
    return true;
}

struct sql_sink wiki_links_sink(struct wiki_state *state)
{
    return (struct sql_sink){
        .rows = link_rows, .commit = link_commit, .begin = links_begin, .context = state};
}
