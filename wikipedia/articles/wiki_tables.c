/*
 * wiki_tables.c - rows of page, page_props, redirect and linktarget; see wiki_tables.h.
 *
 * A worker makes small records of its rows and looks titles up. The commit, in the order of the
 * file, puts the records in their places.
 */
#include "wiki_tables.h"
#include "data/graph/graph_memory.h"
#include "huge_array.h"
#include "wiki_links.h"
#include "wiki_rows.h"
#include "wiki_templates.h"
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
    [WIKI_TEMPLATELINKS] = {"templatelinks",
                            {{"tl_from", SQL_NUMBER, false, false},
                             {"tl_target_id", SQL_NUMBER, true, true},
                             {"tl_namespace", SQL_LITERAL, true, true},
                             {"tl_title", SQL_TEXT, true, true}}},
};

/* page ---------------------------------------------------------------------------------------- */

#define TEMPLATE_PLACE UINT8_MAX /* as the index of a namespace among the wanted ones */

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
        int space = wiki_space_of(state->options, &row[1]);
        *bad = i;
        output->counts[WIKI_PAGE_ROWS]++;
        if (space < 0 && space != -2) {
            output->counts[WIKI_PAGES_ELSEWHERE]++;
            if (!state->options->without_templates || row[1].kind != SQL_NUMBER ||
                row[1].number != TEMPLATE_NAMESPACE) {
                continue;
            }
            space = TEMPLATE_PLACE;
        }
        if (space == -2 || row[2].length > TITLE_LENGTH_MAX || wiki_check_id(&row[0]) != NULL) {
            return space == -2                        ? "page_namespace is not a number"
                   : row[2].length > TITLE_LENGTH_MAX ? wiki_title_too_long
                                                      : wiki_check_id(&row[0]);
        }
        const struct page_record record = {(uint32_t)row[0].number, (uint16_t)row[2].length,
                                           (uint8_t)space, row[3].number != 0};
        char *room = sql_output_room(output, sizeof(record) + record.length);
        if (room == NULL) {
            return wiki_no_memory;
        }
        memcpy(room, &record, sizeof(record));
        memcpy(room + sizeof(record), row[2].text, record.length);
        output->used += sizeof(record) + record.length;
    }
    return NULL;
}

/* True if titles and link targets are within the limit. */
static bool check_memory(const struct wiki_state *state, char rule[SQL_RULE_SIZE])
{
    char needs[32], allowed[32];
    const uint64_t bytes = title_table_memory(&state->titles) +
                           title_table_memory(&state->templates.titles) +
                           state->target_end * sizeof(*state->targets);
    return bytes <= state->memory_limit ||
           sql_fail(rule, "titles and link targets need %s of memory, %s are %s",
                    memory_text(needs, bytes), memory_text(allowed, state->memory_limit),
                    state->options->memory_limit > 0 ? "allowed" : "available");
}

static bool page_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    wiki_add_counts(state, output);
    for (size_t at = 0; at < output->used;) {
        struct page_record record;
        memcpy(&record, output->bytes + at, sizeof(record));
        at += sizeof(record);
        const bool is_wanted = record.space != TEMPLATE_PLACE;
        const char *wrong = title_table_add(
            is_wanted ? &state->titles : &state->templates.titles, record.page_id, record.space,
            record.is_redirect ? TITLE_REDIRECT : TITLE_ARTICLE, output->bytes + at, record.length);
        if (wrong != NULL) {
            return sql_fail(rule, "page %u: %s", record.page_id, wrong);
        }
        state->counts[record.is_redirect ? WIKI_REDIRECTS : WIKI_ARTICLES] += is_wanted;
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
                return wiki_no_memory;
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

/* redirect ------------------------------------------------------------------------------------ */

/* A page and the target of its redirect: a title (TITLE_NODE plus its number), TITLE_RED or
 * TITLE_ELSEWHERE. For linktarget: an id, and what it leads to. */
struct id_record {
    uint32_t id, end;
};

static const char *add_records(struct sql_output *output, struct sql_value (*rows)[SQL_WANTED_MAX],
                               size_t count, const uint32_t *ends, size_t *bad)
{
    struct id_record *records = sql_output_room(output, count * sizeof(*records));
    for (size_t i = 0; i < count; i++) {
        *bad = i;
        if (records == NULL || wiki_check_id(&rows[i][0]) != NULL) {
            return records == NULL ? wiki_no_memory : wiki_check_id(&rows[i][0]);
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
    const char *wrong = wiki_find_ends(state, rows, count, 1, 2, true, ends, bad);
    if (wrong != NULL) {
        return wrong;
    }
    if (state->options->without_templates) {
        wiki_templates_find(state, rows, count, 1, 2, false, ends);
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i][3].kind == SQL_TEXT && rows[i][3].length > 0) {
            ends[i] = TITLE_ELSEWHERE; /* another wiki */
        }
    }
    output->counts[WIKI_REDIRECT_ROWS] += count;
    return add_records(output, rows, count, ends, bad);
}

/* Keep the redirect of a template, if the page is one. Only a template can be its end. False with
 * the rule. */
static bool keep_template(struct template_links *templates, const struct id_record *record,
                          char rule[SQL_RULE_SIZE])
{
    const uint32_t number =
        title_table_find_page(&templates->titles, record->id, templates->titles.count);
    if (number == TITLE_NONE || templates->titles.ends[number] == TITLE_ARTICLE) {
        return true;
    }
    if (templates->titles.ends[number] != TITLE_REDIRECT) {
        return sql_fail(rule, "page %u has two redirects", record->id);
    }
    const uint32_t to = record->end & ~TITLE_TEMPLATE;
    templates->titles.ends[number] = !title_is_template(record->end) ? (uint32_t)TITLE_ELSEWHERE
                                     : to == number                  ? (uint32_t)TITLE_CIRCLE
                                                                     : TITLE_NODE + to;
    return true;
}

static bool redirect_commit(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct wiki_state *state = context;
    const struct id_record *records = (const void *)output->bytes;
    wiki_add_counts(state, output);
    for (size_t i = 0; i < output->used / sizeof(*records); i++) {
        const uint32_t number = title_table_find_page(&state->titles, records[i].id, state->hint);
        if (number == TITLE_NONE && state->options->without_templates &&
            !keep_template(&state->templates, &records[i], rule)) {
            return false;
        }
        if (number == TITLE_NONE || state->titles.ends[number] != TITLE_REDIRECT) {
            continue;
        }
        state->hint = number;
        if (state->next[number] != TITLE_UNKNOWN) {
            return sql_fail(rule, "page %u has two redirects", records[i].id);
        }
        state->next[number] = title_is_template(records[i].end) ? TITLE_ELSEWHERE : records[i].end;
    }
    return true;
}

/* linktarget ---------------------------------------------------------------------------------- */

static const char *target_rows(void *context, struct sql_output *output,
                               struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    const struct wiki_state *state = context;
    uint32_t ends[SQL_BATCH];
    const char *wrong = wiki_find_ends(state, rows, count, 1, 2, false, ends, bad);
    if (wrong == NULL && state->options->without_templates) {
        wiki_templates_find(state, rows, count, 1, 2, true, ends);
    }
    output->counts[WIKI_TARGET_ROWS] += count;
    return wrong != NULL ? wrong : add_records(output, rows, count, ends, bad);
}

/* Make room for the targets of ids below end. */
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
    wiki_add_counts(state, output);
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = (uint64_t)records[i].id + 1;
        state->target_end = end > state->target_end ? end : state->target_end;
    }
    if (!check_memory(state, rule) || !reserve_targets(state, state->target_end)) {
        return rule[0] == '\0' ? sql_fail(rule, "%s", wiki_no_memory) : false;
    }
    for (size_t i = 0; i < count; i++) {
        if (state->targets[records[i].id] != TITLE_UNKNOWN) {
            return sql_fail(rule, "link target %u occurs twice", records[i].id);
        }
        state->targets[records[i].id] = records[i].end;
    }
    return true;
}

struct sql_sink wiki_sink(struct wiki_state *state, enum wiki_table table)
{
    static const struct sql_sink sinks[WIKI_PAGELINKS] = {
        [WIKI_PAGE] = {.rows = page_rows, .commit = page_commit},
        [WIKI_PAGE_PROPS] = {.rows = props_rows, .commit = props_commit},
        [WIKI_REDIRECT] = {.rows = redirect_rows, .commit = redirect_commit},
        [WIKI_LINKTARGET] = {.rows = target_rows, .commit = target_commit},
    };
    if (table >= WIKI_PAGELINKS) {
        return table == WIKI_PAGELINKS ? wiki_links_sink(state) : wiki_templates_sink(state);
    }
    struct sql_sink sink = sinks[table];
    sink.context = state;
    return sink;
}
