/*
 * wiki_rows.c - see wiki_rows.h.
 */
#include "wiki_rows.h"

const char wiki_title_too_long[] = "a title is longer than 255 bytes";
const char wiki_no_memory[] = "out of memory";

const char *wiki_check_id(const struct sql_value *value)
{
    return value->number >= UINT32_MAX ? "an id is above 4294967294" : NULL;
}

const char *wiki_find_ends(const struct wiki_state *state, struct sql_value (*rows)[SQL_WANTED_MAX],
                           size_t count, size_t space_column, size_t title_column, bool numbered,
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
        const int place = wiki_space_of(state->options, space);
        *bad = i;
        if (place == -2 || title->length > TITLE_LENGTH_MAX) {
            return place == -2 ? "the namespace is not a number" : wiki_title_too_long;
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

void wiki_add_counts(struct wiki_state *state, const struct sql_output *output)
{
    for (size_t i = 0; i < WIKI_COUNTS; i++) {
        if (output->counts[i] > 0) { /* other workers may count meanwhile */
            state->counts[i] += output->counts[i];
        }
    }
}
