/*
 * wiki_tables.c - rows of page, page_props, redirect, linktarget and pagelinks; see wiki_tables.h.
 *
 * A worker makes small records of its rows, with titles looked up already; the commit, in the order
 * of the file, puts them in their places.
 */
#include "wiki_tables.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/make/sort_ids.h"
#include "huge_array.h"
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sql_table wiki_sql_tables[WIKI_TABLES] = {
    [WIKI_PAGE] = {"page",
                   {{"page_id", SQL_NUMBER, false, false},
                    {"page_namespace", SQL_LITERAL, false, false},
                    {"page_title", SQL_TEXT, false, false},
                    {"page_is_redirect", SQL_NUMBER, false, false}}},
    [WIKI_PAGE_PROPS] = {"page_props",
                         {{"pp_page", SQL_NUMBER, false, false},
                          {"pp_propname", SQL_TEXT, false, false}}},
    [WIKI_REDIRECT] = {"redirect",
                       {{"rd_from", SQL_NUMBER, false, false},
                        {"rd_namespace", SQL_LITERAL, false, false},
                        {"rd_title", SQL_TEXT, false, false},
                        {"rd_interwiki", SQL_TEXT, true, true}}},
    [WIKI_LINKTARGET] = {"linktarget",
                         {{"lt_id", SQL_NUMBER, false, false},
                          {"lt_namespace", SQL_LITERAL, false, false},
                          {"lt_title", SQL_TEXT, false, false}}},
    [WIKI_PAGELINKS] = {"pagelinks",
                        {{"pl_from", SQL_NUMBER, false, false},
                         {"pl_target_id", SQL_NUMBER, true, true},
                         {"pl_namespace", SQL_LITERAL, true, true},
                         {"pl_title", SQL_TEXT, true, true}}},
};

static const char too_long[] = "a title is longer than 255 bytes";
static const char no_memory[] = "out of memory";

/* The place of a namespace among the wanted ones; -1: not wanted; -2: it is no number. */
static int space_of(const struct wiki_options *options, const struct sql_value *value)
{
    if (value->kind != SQL_NUMBER) {
        return value->kind == SQL_LITERAL && value->text[0] == '-' ? -1 : -2;
    }
    for (size_t i = 0; i < options->namespace_count; i++) {
        if (options->namespaces[i] == value->number) {
            return (int)i;
        }
    }
    return -1;
}

const char *wiki_check_id(const struct sql_value *value)
{
    return value->number >= UINT32_MAX ? "an id is above 4294967294" : NULL;
}

/* page ---------------------------------------------------------------------------------------- */

struct page_record {
    uint32_t page_id;
    uint16_t length;
    uint8_t space;
    uint8_t is_redirect;
};

static const char *page_rows(void *context, struct sql_output *output,
                             struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    const struct wiki_state *state = context;
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *row = rows[i];
        const int space = space_of(state->options, &row[1]);
        *bad = i;
        output->counts[WIKI_PAGE_ROWS]++;
        if (space < 0 && space != -2) {
            output->counts[WIKI_PAGES_ELSEWHERE]++;
            continue;
        }
        if (space == -2 || row[2].length > TITLE_LENGTH_MAX || wiki_check_id(&row[0]) != NULL) {
            return space == -2                        ? "page_namespace is no number"
                   : row[2].length > TITLE_LENGTH_MAX ? too_long
                                                      : wiki_check_id(&row[0]);
        }
        const struct page_record record = {(uint32_t)row[0].number, (uint16_t)row[2].length,
                                           (uint8_t)space, row[3].number != 0};
        char *room = sql_output_room(output, sizeof(record) + record.length);
        if (room == NULL) {
            return no_memory;
        }
        memcpy(room, &record, sizeof(record));
        memcpy(room + sizeof(record), row[2].text, record.length);
        output->used += sizeof(record) + record.length;
    }
    return NULL;
}

static void add_counts(struct wiki_state *state, const struct sql_output *output)
{
    for (size_t i = 0; i < WIKI_COUNTS; i++) {
        if (output->counts[i] > 0) { /* others may be read meanwhile */
            state->counts[i] += output->counts[i];
        }
    }
}

/* Whether titles and link targets are within the limit. */
static bool check_memory(const struct wiki_state *state, char rule[SQL_RULE_SIZE])
{
    char needs[32], allowed[32];
    const uint64_t bytes =
        title_table_memory(&state->titles) + state->target_end * sizeof(*state->targets);
    return bytes <= state->memory_limit ||
           sql_fail(rule, "titles and link targets need %s of memory, %s are %s",
                    memory_text(needs, bytes), memory_text(allowed, state->memory_limit),
                    state->options->memory_limit > 0 ? "allowed" : "available");
}

static bool page_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    add_counts(state, output);
    for (size_t at = 0; at < output->used;) {
        struct page_record record;
        memcpy(&record, output->bytes + at, sizeof(record));
        at += sizeof(record);
        const char *wrong = title_table_add(&state->titles, record.page_id, record.space,
                                            record.is_redirect ? TITLE_REDIRECT : TITLE_ARTICLE,
                                            output->bytes + at, record.length);
        if (wrong != NULL) {
            return sql_fail(rule, "page %u: %s", record.page_id, wrong);
        }
        state->counts[record.is_redirect ? WIKI_REDIRECTS : WIKI_ARTICLES]++;
        at += record.length;
    }
    return check_memory(state, rule);
}

/* page_props ---------------------------------------------------------------------------------- */

static const char *props_rows(void *context, struct sql_output *output,
                              struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    static const char name[] = "disambiguation";
    (void)context;
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *row = rows[i];
        if (row[1].length == sizeof(name) - 1 && memcmp(row[1].text, name, row[1].length) == 0 &&
            wiki_check_id(&row[0]) == NULL) {
            const uint32_t page_id = (uint32_t)row[0].number;
            char *room = sql_output_room(output, sizeof(page_id));
            *bad = i;
            if (room == NULL) {
                return no_memory;
            }
            memcpy(room, &page_id, sizeof(page_id));
            output->used += sizeof(page_id);
        }
    }
    return NULL;
}

static bool props_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    (void)rule;
    for (size_t at = 0; at < output->used; at += sizeof(uint32_t)) {
        uint32_t page_id;
        memcpy(&page_id, output->bytes + at, sizeof(page_id));
        const uint32_t number = title_table_find_page(&state->titles, page_id, state->hint);
        if (number != TITLE_NONE) {
            state->hint = number;
            if (state->titles.ends[number] == TITLE_ARTICLE) {
                state->titles.ends[number] = TITLE_DROPPED;
                state->counts[WIKI_DISAMBIGUATIONS]++;
            }
        }
    }
    return true;
}

/*
 * Whether the options leave out a title. Where no characters match, glibc's fnmatch compares bytes,
 * and half of one is half of another. So a pattern begins with "any but e acute", and the title
 * with e circumflex: another character, whose first byte is the same.
 */
static bool is_dropped(const struct wiki_options *options, const char *title)
{
    char guarded[TITLE_LENGTH_MAX + 3];
    const bool has_characters = MB_CUR_MAX > 1 && mbstowcs(NULL, title, 0) != SIZE_MAX;
    const size_t skipped = has_characters ? 0 : sizeof(WIKI_PATTERN_GUARD) - 1;
    snprintf(guarded, sizeof(guarded), "%s%s", has_characters ? "\xc3\xaa" : "", title);
    for (size_t i = 0; i < options->drop_title_count; i++) {
        if (fnmatch(options->drop_titles[i] + skipped, guarded, 0) == 0) {
            return true;
        }
    }
    return false;
}

bool wiki_number_nodes(struct wiki_state *state)
{
    struct title_table *titles = &state->titles;
    for (uint32_t i = 0; i < titles->count; i++) {
        size_t length;
        if (titles->ends[i] == TITLE_ARTICLE && state->options->drop_title_count > 0 &&
            is_dropped(state->options, title_text(titles, i, &length))) {
            titles->ends[i] = TITLE_DROPPED;
            state->counts[WIKI_DROPPED_TITLES]++;
        }
        if (titles->ends[i] == TITLE_ARTICLE) {
            titles->ends[i] = TITLE_NODE + state->node_count++;
        }
    }
    state->next = calloc((size_t)titles->count + 1, sizeof(*state->next));
    return state->next != NULL;
}

/* redirect ------------------------------------------------------------------------------------ */

/* A page, and what its redirect names: a title (TITLE_NODE and its number), or TITLE_RED or
 * TITLE_ELSEWHERE. Of linktarget: an id, and what it leads to. */
struct id_record {
    uint32_t id, end;
};

/* The ends of titles in a column of a batch, of which another column is the namespace. Returns the
 * rule that one breaks, or NULL. numbered: titles stand for themselves, not for their ends. */
static const char *find_ends(const struct wiki_state *state,
                             struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                             size_t space_column, size_t title_column, bool numbered,
                             uint32_t ends[SQL_BATCH], size_t *bad)
{
    struct title_query queries[SQL_BATCH];
    uint32_t numbers[SQL_BATCH];
    queries[0] = (struct title_query){0};
    uint8_t places[SQL_BATCH];
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *title = &rows[i][title_column];
        const struct sql_value *space = &rows[i][space_column];
        ends[i] = TITLE_UNKNOWN;
        if (title->kind != SQL_TEXT || space->kind == SQL_NULL) {
            continue;
        }
        const int place = space_of(state->options, space);
        *bad = i;
        if (place == -2 || title->length > TITLE_LENGTH_MAX) {
            return place == -2 ? "the namespace is no number" : too_long;
        }
        ends[i] = TITLE_ELSEWHERE;
        if (place >= 0) {
            places[used] = (uint8_t)i;
            queries[used++] = (struct title_query){title->text, title->length, (uint32_t)place};
        }
    }
    title_table_find(&state->titles, queries, used, numbers);
    for (size_t i = 0; i < used; i++) {
        ends[places[i]] = numbers[i] == TITLE_NONE ? TITLE_RED
                          : numbered               ? TITLE_NODE + numbers[i]
                                                   : state->titles.ends[numbers[i]];
    }
    return NULL;
}

static const char *add_records(struct sql_output *output, struct sql_value (*rows)[SQL_WANTED_MAX],
                               size_t count, const uint32_t *ends, size_t *bad)
{
    struct id_record *records = sql_output_room(output, count * sizeof(*records));
    for (size_t i = 0; i < count; i++) {
        *bad = i;
        if (records == NULL || wiki_check_id(&rows[i][0]) != NULL) {
            return records == NULL ? no_memory : wiki_check_id(&rows[i][0]);
        }
        records[i] = (struct id_record){(uint32_t)rows[i][0].number, ends[i]};
    }
    output->used += count * sizeof(*records);
    return NULL;
}

static const char *redirect_rows(void *context, struct sql_output *output,
                                 struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                                 size_t *bad)
{
    const struct wiki_state *state = context;
    uint32_t ends[SQL_BATCH];
    const char *wrong = find_ends(state, rows, count, 1, 2, true, ends, bad);
    if (wrong != NULL) {
        return wrong;
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i][3].kind == SQL_TEXT && rows[i][3].length > 0) {
            ends[i] = TITLE_ELSEWHERE; /* another wiki */
        }
    }
    output->counts[WIKI_REDIRECT_ROWS] += count;
    return add_records(output, rows, count, ends, bad);
}

static bool redirect_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const struct id_record *records = (const void *)output->bytes;
    add_counts(state, output);
    for (size_t i = 0; i < output->used / sizeof(*records); i++) {
        const uint32_t number = title_table_find_page(&state->titles, records[i].id, state->hint);
        if (number == TITLE_NONE || state->titles.ends[number] != TITLE_REDIRECT) {
            continue;
        }
        state->hint = number;
        if (state->next[number] != TITLE_UNKNOWN) {
            return sql_fail(rule, "page %u has two redirects", records[i].id);
        }
        state->next[number] = records[i].end;
    }
    return true;
}

/* What the redirect from leads to; those on the way get the same end. */
static uint32_t follow(struct wiki_state *state, uint32_t from)
{
    uint32_t *ends = state->titles.ends;
    uint32_t at = from, end = TITLE_UNKNOWN;
    while (end == TITLE_UNKNOWN) {
        const uint32_t next = state->next[at];
        ends[at] = TITLE_WALKED;
        if (next < TITLE_NODE) {
            end = next == TITLE_RED         ? TITLE_MISSING
                  : next == TITLE_ELSEWHERE ? TITLE_ELSEWHERE
                                            : TITLE_UNLISTED;
        } else if (ends[next - TITLE_NODE] == TITLE_WALKED) {
            end = TITLE_CIRCLE;
        } else if (ends[next - TITLE_NODE] != TITLE_REDIRECT) {
            end = ends[next - TITLE_NODE];
            end = end >= TITLE_NODE      ? end | TITLE_THROUGH
                  : end == TITLE_DROPPED ? (uint32_t)TITLE_TO_DROPPED
                                         : end;
        } else {
            at = next - TITLE_NODE;
        }
    }
    for (at = from; ends[at] == TITLE_WALKED; at = state->next[at] - TITLE_NODE) {
        ends[at] = end;
        if (state->next[at] < TITLE_NODE) {
            break;
        }
    }
    return end;
}

void wiki_follow_redirects(struct wiki_state *state)
{
    static const enum wiki_count what[TITLE_NODE] = {
        [TITLE_ELSEWHERE] = WIKI_REDIRECTS_ELSEWHERE, [TITLE_TO_DROPPED] = WIKI_REDIRECTS_DROPPED,
        [TITLE_MISSING] = WIKI_REDIRECTS_MISSING,     [TITLE_CIRCLE] = WIKI_REDIRECTS_CIRCLE,
        [TITLE_UNLISTED] = WIKI_REDIRECTS_UNLISTED,
    };
    struct title_table *titles = &state->titles;
    for (uint32_t i = 0; i < titles->count; i++) {
        if (titles->ends[i] == TITLE_REDIRECT) {
            follow(state, i);
        }
    }
    for (uint32_t i = 0; i < titles->count; i++) {
        const uint32_t end = titles->ends[i];
        if (end >= TITLE_NODE) {
            state->counts[WIKI_REDIRECTS_RESOLVED] += (end & TITLE_THROUGH) != 0;
        } else if (end != TITLE_DROPPED) {
            pw_assert(what[end] != 0);
            state->counts[what[end]]++;
        }
    }
    free(state->next);
    state->next = NULL;
}

/* linktarget ---------------------------------------------------------------------------------- */

static const char *target_rows(void *context, struct sql_output *output,
                               struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    uint32_t ends[SQL_BATCH];
    const char *wrong = find_ends(context, rows, count, 1, 2, false, ends, bad);
    output->counts[WIKI_TARGET_ROWS] += count;
    return wrong != NULL ? wrong : add_records(output, rows, count, ends, bad);
}

/* Room for the targets of ids below end. */
static bool reserve_targets(struct wiki_state *state, uint64_t end)
{
    const uint64_t size = sizeof(*state->targets);
    uint64_t count = state->target_count > 0 ? state->target_count : 1 << 20;
    while (count < end) {
        count *= 2;
    }
    if (count > state->target_count &&
        !huge_array_grow(&state->targets, state->target_count * size, count * size)) {
        return false;
    }
    state->target_count = count;
    return true;
}

static bool target_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const struct id_record *records = (const void *)output->bytes;
    const size_t count = output->used / sizeof(*records);
    add_counts(state, output);
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = (uint64_t)records[i].id + 1;
        state->target_end = end > state->target_end ? end : state->target_end;
    }
    if (!check_memory(state, rule) || !reserve_targets(state, state->target_end)) {
        return rule[0] == '\0' ? sql_fail(rule, no_memory) : false;
    }
    for (size_t i = 0; i < count; i++) {
        if (state->targets[records[i].id] != TITLE_UNKNOWN) {
            return sql_fail(rule, "link target %u is there twice", records[i].id);
        }
        state->targets[records[i].id] = records[i].end;
    }
    return true;
}

/* pagelinks ----------------------------------------------------------------------------------- */

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
    if (!has_titles) { /* no title is looked for any more */
        title_table_free_slots(&state->titles);
    }
    return true;
}

/* What the links of a batch lead to. */
static const char *find_targets(const struct wiki_state *state,
                                struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                                uint32_t ends[SQL_BATCH], size_t *bad)
{
    bool has_titles = !state->has_target_column;
    for (size_t i = 0; i < count && !has_titles; i++) {
        has_titles = rows[i][1].kind != SQL_NUMBER;
    }
    if (has_titles) {
        const char *wrong = find_ends(state, rows, count, 2, 3, false, ends, bad);
        if (wrong != NULL) {
            return wrong;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const struct sql_value *id = &rows[i][1];
        if (id->kind == SQL_NUMBER && state->has_target_column) {
            ends[i] = id->number < state->target_count ? state->targets[id->number] : TITLE_UNKNOWN;
        }
    }
    return NULL;
}

/* What a worker keeps of the page whose links it reads, from batch to batch. */
enum { LAST_PAGE, LAST_END, LAST_NUMBER, LAST_RUN };

/* Another page links than before: find its end. */
static void change_source(const struct wiki_state *state, uint64_t memory[4], uint32_t page_id)
{
    const uint32_t number =
        title_table_find_page(&state->titles, page_id, (uint32_t)memory[LAST_NUMBER]);
    memory[LAST_PAGE] = (uint64_t)page_id + 1;
    memory[LAST_END] = number == TITLE_NONE ? (uint32_t)TITLE_UNKNOWN : state->titles.ends[number];
    memory[LAST_NUMBER] = number == TITLE_NONE ? memory[LAST_NUMBER] : number;
    memory[LAST_RUN] = 0;
}

/* Links of a page with these ends: those that stay go behind those that output has of the page.
 * NULL, or the rule that is broken. */
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
    uint8_t dropped[SQL_RUN_MAX]; /* counted behind the loop, which so has no branch */
    size_t drops = 0;
    pw_assert(count <= SQL_RUN_MAX);
    if (sql_output_room(output, (count + 2) * sizeof(uint32_t)) == NULL ||
        wiki_check_id(page) != NULL) {
        return wiki_check_id(page) != NULL ? wiki_check_id(page) : no_memory;
    }
    uint32_t *words = (void *)output->bytes;
    size_t used = output->used / sizeof(*words), run = output->memory[LAST_RUN];
    if (output->memory[LAST_PAGE] != page->number + 1) {
        if (run > 0) { /* the list is complete in most cases, and other workers sort others */
            sort_ids(words + run, used - run);
        }
        change_source(state, output->memory, (uint32_t)page->number);
        run = 0;
    }
    counts[WIKI_LINK_ROWS] += count;
    const uint32_t source = (uint32_t)output->memory[LAST_END];
    if (source < TITLE_NODE || (source & TITLE_THROUGH) != 0) {
        counts[source == TITLE_UNKNOWN   ? WIKI_LINKS_OF_OTHERS
               : source == TITLE_DROPPED ? WIKI_LINKS_OF_DROPPED
                                         : WIKI_LINKS_OF_REDIRECTS] += count;
        return NULL;
    }
    if (run == 0) { /* the page, and how many follow */
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

static const char *link_run(void *context, struct sql_output *output, const struct sql_value *row,
                            const uint32_t *ids, size_t count)
{
    const struct wiki_state *state = context;
    uint32_t ends[SQL_RUN_MAX];
    for (size_t i = 0; i < count; i++) {
        ends[i] = ids[i] < state->target_count ? state->targets[ids[i]] : TITLE_UNKNOWN;
    }
    return add_links(state, output, &row[0], ends, count);
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
        add_counts(state, output);
    }
    for (size_t at = 0; at < used; at += 2 + words[at + 1]) {
        pw_assert(words[at + 1] > 0 && at + 2 + words[at + 1] <= used);
        if (!link_table_take(&state->links, words[at], words + at + 2, words[at + 1])) {
            return sql_fail(rule, "the links cannot be kept: %s", link_table_reason());
        }
    }
    return true;
}

struct sql_sink wiki_sink(struct wiki_state *state, enum wiki_table table)
{
    static const struct sql_sink sinks[WIKI_TABLES] = {
        [WIKI_PAGE] = {.rows = page_rows, .commit = page_commit},
        [WIKI_PAGE_PROPS] = {.rows = props_rows, .commit = props_commit},
        [WIKI_REDIRECT] = {.rows = redirect_rows, .commit = redirect_commit},
        [WIKI_LINKTARGET] = {.rows = target_rows, .commit = target_commit},
        [WIKI_PAGELINKS] = {.rows = link_rows,
                            .commit = link_commit,
                            .begin = links_begin,
                            .run = link_run,
                            .run_column = 1},
    };
    struct sql_sink sink = sinks[table];
    sink.context = state;
    if (table == WIKI_PAGELINKS) {
        sink.ahead = (struct sql_ahead){state->targets, state->target_count};
    }
    return sink;
}

void wiki_state_free(struct wiki_state *state)
{
    title_table_free(&state->titles);
    free(state->next);
    memory_unmap(state->targets, state->target_count * sizeof(*state->targets));
    link_table_free(&state->links);
    state->next = state->targets = NULL;
    state->target_count = 0;
}
