/*
 * wiki_templates.c - see wiki_templates.h.
 */
#include "wiki_templates.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "wiki_rows.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

static_assert(WIKI_COUNTS <= SQL_COUNT_MAX, "a worker has room for all counts");

/* Titles -------------------------------------------------------------------------------------- */

void wiki_templates_follow(struct wiki_state *state)
{
    struct title_table *titles = &state->templates.titles;
    for (uint32_t i = 0; i < titles->count; i++) {
        if (titles->ends[i] == TITLE_ARTICLE) {
            titles->ends[i] = TITLE_NODE + i;
            state->counts[WIKI_TEMPLATES]++;
        } else if (titles->ends[i] == TITLE_REDIRECT) {
            titles->ends[i] = TITLE_UNLISTED;
        }
    }
}

void wiki_templates_find(const struct wiki_state *state, struct sql_value (*rows)[SQL_WANTED_MAX],
                         size_t count, size_t space_column, size_t title_column, bool followed,
                         uint32_t ends[SQL_BATCH])
{
    const struct title_table *titles = &state->templates.titles;
    struct title_query queries[SQL_BATCH];
    uint32_t numbers[SQL_BATCH];
    uint8_t places[SQL_BATCH];
    size_t used = 0;
    queries[0] = (struct title_query){0};
    for (size_t i = 0; i < count && titles->count > 0; i++) {
        const struct sql_value *title = &rows[i][title_column], *space = &rows[i][space_column];
        if (title->kind == SQL_TEXT && space->kind == SQL_NUMBER &&
            space->number == TEMPLATE_NAMESPACE) {
            places[used] = (uint8_t)i;
            queries[used++] = (struct title_query){title->text, title->length, 0};
        }
    }
    if (used > 0) {
        title_table_find(titles, queries, used, numbers);
    }
    for (size_t i = 0; i < used; i++) {
        if (numbers[i] != TITLE_NONE) {
            const uint32_t end = followed ? titles->ends[numbers[i]] : TITLE_NODE + numbers[i];
            ends[places[i]] =
                end < TITLE_NODE ? (uint32_t)TITLE_ELSEWHERE : TITLE_TEMPLATE | (end - TITLE_NODE);
        }
    }
}

/* Their links --------------------------------------------------------------------------------- */

/* The broken rule, of a failure that errno names. */
static bool fail(const struct wiki_state *state, char rule[SQL_RULE_SIZE])
{
    char needs[32], left[32];
    if (errno != EDQUOT) {
        return sql_fail(rule, "the links of templates cannot be kept: %s", strerror(errno));
    }
    return sql_fail(rule, "the links of templates need %s of memory, %s are left",
                    memory_text(needs, state->templates.memory),
                    memory_text(left, state->templates.limit));
}

bool wiki_templates_take(struct wiki_state *state, const uint32_t *words, char rule[SQL_RULE_SIZE])
{
    return template_links_take(&state->templates, words) || fail(state, rule);
}

bool wiki_templates_open(struct wiki_state *state, const uint64_t *offsets,
                         char rule[SQL_RULE_SIZE])
{
    if (!template_links_open(&state->templates, state->links.out, offsets, state->node_count)) {
        return fail(state, rule);
    }
    state->counts[WIKI_TEMPLATES_LINKING] = state->templates.linking;
    state->counts[WIKI_LINKS_BEFORE] = state->templates.before;
    return true;
}

bool wiki_templates_drop(struct wiki_state *state, uint64_t *offsets, char rule[SQL_RULE_SIZE])
{
    if (!template_links_drop(&state->templates, state->links.out, offsets,
                             state->options->cancel)) {
        return errno == ECANCELED ? sql_fail(rule, "interrupted")
                                  : sql_fail(rule, "the links cannot be kept: %s", strerror(errno));
    }
    state->counts[WIKI_LINKS_OF_TEMPLATES] = state->templates.dropped;
    state->counts[WIKI_ARTICLES_LESS] = state->templates.losers;
    return true;
}

/* templatelinks ------------------------------------------------------------------------------- */

static bool inclusions_begin(void *context, const struct sql_schema *schema,
                             char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const bool has_titles = schema->has[2] && schema->has[3];
    state->has_template_column = schema->has[1] && (state->has_targets || !has_titles);
    if (!has_titles && !schema->has[1]) {
        return sql_fail(rule, "table templatelinks has neither a column tl_target_id nor "
                              "tl_namespace and tl_title");
    }
    return state->has_targets || has_titles || state->options->allow_incomplete ||
           sql_fail(rule,
                    "the inclusions name templates by id, and there is no dump of linktarget");
}

/* The page whose inclusions a worker is reading; kept from batch to batch. */
enum { LAST_PAGE, LAST_NODE, LAST_NUMBER };

/* The inclusions of another page begin: find its node, or TITLE_NONE. */
static void change_page(const struct wiki_state *state, uint64_t memory[4], uint32_t page_id)
{
    const uint32_t number =
        title_table_find_page(&state->titles, page_id, (uint32_t)memory[LAST_NUMBER]);
    const uint32_t end =
        number == TITLE_NONE ? (uint32_t)TITLE_UNKNOWN : state->titles.ends[number];
    memory[LAST_PAGE] = (uint64_t)page_id + 1;
    memory[LAST_NODE] =
        end < TITLE_NODE || (end & TITLE_THROUGH) != 0 ? TITLE_NONE : end - TITLE_NODE;
    memory[LAST_NUMBER] = number == TITLE_NONE ? memory[LAST_NUMBER] : number;
}

/* Add inclusions of a page: of each template, the page's node, a count, and the places of as many
 * links in the node's list are appended to output. Returns NULL, or the rule that is broken. */
static const char *add_inclusions(const struct wiki_state *state, struct sql_output *output,
                                  const struct sql_value *page, const uint32_t *ends, size_t count)
{
    const struct template_links *templates = &state->templates;
    if (wiki_check_id(page) != NULL) {
        return wiki_check_id(page);
    }
    if (output->memory[LAST_PAGE] != page->number + 1) {
        change_page(state, output->memory, (uint32_t)page->number);
    }
    const uint32_t node = (uint32_t)output->memory[LAST_NODE];
    const size_t degree = node != TITLE_NONE ? template_links_degree(templates, node) : 0;
    output->counts[WIKI_INCLUSION_ROWS] += count;
    for (size_t i = 0; i < count; i++) {
        output->counts[WIKI_INCLUSIONS_UNKNOWN] += ends[i] == TITLE_UNKNOWN;
        if (degree == 0 || !title_is_template(ends[i])) {
            continue;
        }
        uint32_t *words = sql_output_room(output, (degree + 2) * sizeof(*words));
        if (words == NULL) {
            return wiki_no_memory;
        }
        words[0] = node;
        words[1] =
            (uint32_t)template_links_find(templates, node, ends[i] & ~TITLE_TEMPLATE, words + 2);
        output->used += words[1] > 0 ? (words[1] + 2) * sizeof(*words) : 0;
    }
    return NULL;
}

/* The ends of the titles in a batch. Returns the rule that a row breaks, or NULL. */
static const char *find_titles(const struct wiki_state *state,
                               struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                               uint32_t ends[SQL_BATCH], size_t *bad)
{
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *space = &rows[i][2], *title = &rows[i][3];
        const bool has_title = title->kind == SQL_TEXT && space->kind != SQL_NULL;
        *bad = i;
        if (has_title && wiki_space_of(state->options, space) == -2) {
            return "the namespace is not a number";
        }
        if (has_title && title->length > TITLE_LENGTH_MAX) {
            return wiki_title_too_long;
        }
        ends[i] = has_title ? TITLE_ELSEWHERE : TITLE_UNKNOWN; /* unless it is a template's */
    }
    wiki_templates_find(state, rows, count, 2, 3, true, ends);
    return NULL;
}

static const char *inclusion_rows(void *context, struct sql_output *output,
                                  struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                                  size_t *bad)
{
    const struct wiki_state *state = context;
    uint32_t ends[SQL_BATCH];
    const char *wrong = find_titles(state, rows, count, ends, bad);
    for (size_t i = 0; wrong == NULL && i < count; i++) {
        if (rows[i][1].kind == SQL_NUMBER && state->has_template_column) {
            ends[i] = wiki_end_of_target(state, rows[i][1].number);
        }
        *bad = i;
        wrong = add_inclusions(state, output, &rows[i][0], &ends[i], 1);
    }
    return wrong;
}

static bool inclusion_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const uint32_t *words = (const void *)output->bytes;
    const size_t used = output->used / sizeof(*words);
    (void)rule;
    wiki_add_counts(state, output);
    for (size_t at = 0; at < used; at += 2 + words[at + 1]) {
        pw_assert(at + 2 + words[at + 1] <= used);
        template_links_mark(&state->templates, words[at], words + at + 2, words[at + 1]);
    }
    return true;
}

struct sql_sink wiki_templates_sink(struct wiki_state *state)
{
    return (struct sql_sink){.rows = inclusion_rows,
                             .commit = inclusion_commit,
                             .begin = inclusions_begin,
                             .context = state};
}
