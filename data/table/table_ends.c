/*
 * table_ends.c - which two columns of a table are the ends of an edge.
 *
 * 1. The columns that the caller chose, by number or by word.
 * 2. The surest two words of the heading (table_words.h).
 * 3. The only two columns; or the first two, if all further ones are numbers and no two columns
 *    are more like ends. The two ends of an edge share many values; a time or a number of a row
 *    grows with each row.
 * 4. Otherwise the columns are listed in an error.
 */
#include "base/pw_assert.h"
#include "table_sight.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define JUDGED_COLUMNS 6 /* of which the values are compared */
#define NUMBERS        (IDS | KIND(CELL_NUMBER) | KIND(CELL_CODE))
#define IDS            (KIND(CELL_ID) | KIND(CELL_WHOLE) | KIND(CELL_EMPTY))

/* How many columns the heading lacks before its first word: 1 if names of rows are under none. */
static size_t shift_of(const struct table_sight *sight)
{
    return sight->look->has_index && sight->first_width < sight->look->width;
}

static size_t width_of(const struct table_sight *sight)
{
    return sight->look->width < SIGHT_COLUMNS ? sight->look->width : SIGHT_COLUMNS;
}

/* Set the error that lists the columns. Returns false. */
static bool fail_unsure(const struct table_sight *sight, struct graph_error *error)
{
    char list[260] = "", quoted[GRAPH_QUOTE_SIZE];
    size_t used = 0;
    const size_t width = width_of(sight), shift = shift_of(sight);
    const size_t index = sight->look->has_index ? 1 : 0;
    for (size_t i = index; i < width && used < sizeof(list) - GRAPH_QUOTE_SIZE - 8; i++) {
        const struct csv_column *word = &sight->words[i - shift];
        const bool is_there = i - shift < sight->first_width;
        graph_quote(quoted, is_there ? word->begin : "", is_there ? word->length : 0);
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%zu %s",
                                 i > index ? ", " : "", i + 1, quoted);
    }
    error->remedy = GRAPH_REMEDY_COLUMNS;
    return graph_fail_line(
        error, sight->head->path, sight->head->line,
        "which columns are the ends of an edge? It has %s%s", list,
        width > index + 1 && strlen(list) + GRAPH_QUOTE_SIZE > sizeof(list) ? ", ..." : "");
}

/* Words ------------------------------------------------------------------------------------- */

/* True if a word goes on after another one: "source" and "source_label". */
static bool extends(const struct csv_column *word, const struct csv_column *longer)
{
    return longer->length > word->length &&
           strncasecmp(word->begin, longer->begin, word->length) == 0;
}

bool table_ends_by_words(const struct table_sight *sight, size_t ends[2],
                         enum table_words *sureness)
{
    const size_t width = sight->first_width < SIGHT_COLUMNS ? sight->first_width : SIGHT_COLUMNS;
    const struct csv_column *words = sight->words;
    bool is_unsure = false;
    *sureness = WORDS_OTHER;
    for (size_t i = 0; i < width; i++) {
        for (size_t k = 0; k < width; k++) {
            if (i == k) {
                continue;
            }
            const enum table_words sure = table_words_compare(words[i].begin, words[i].length,
                                                              words[k].begin, words[k].length);
            if (sure < *sureness || sure == WORDS_OTHER || (sure == WORDS_EQUAL && k < i)) {
                continue;
            }
            if (sure == WORDS_KNOWN && *sureness == sure && k == ends[0] && i == ends[1]) {
                continue; /* tail, head and head, tail: in the order of the file */
            }
            if (sure == *sureness && extends(&words[ends[0]], &words[i]) &&
                extends(&words[ends[1]], &words[k])) {
                continue;
            }
            is_unsure = sure == *sureness && !(extends(&words[i], &words[ends[0]]) &&
                                               extends(&words[k], &words[ends[1]]));
            *sureness = sure;
            ends[0] = i;
            ends[1] = k;
        }
    }
    if (is_unsure && *sureness == WORDS_EQUAL) {
        *sureness = WORDS_OTHER; /* "column" three times says nothing */
    }
    return *sureness > WORDS_OTHER && !is_unsure;
}

/* The caller's choice -------------------------------------------------------------------------- */

/* The column of a text of the caller: a word of the heading, or a number from 1. */
static size_t find_column(const struct table_sight *sight, const char *text, size_t length)
{
    const size_t shift = shift_of(sight);
    const size_t width = sight->first_width < SIGHT_COLUMNS ? sight->first_width : SIGHT_COLUMNS;
    size_t number = 0, i = 0;
    for (int folded = 0; folded < 2; folded++) {
        for (size_t k = 0; k < width; k++) {
            const struct csv_column *word = &sight->words[k];
            if (word->length == length &&
                (folded ? strncasecmp(word->begin, text, length)
                        : memcmp(word->begin, text, length)) == 0 &&
                sight->first[k] == CELL_WORD) {
                sight->look->has_heading = true;
                return k + shift;
            }
        }
    }
    for (; i < length && i < 4 && text[i] >= '0' && text[i] <= '9'; i++) {
        number = number * 10 + (size_t)(text[i] - '0');
    }
    return i == length && number >= 1 && number <= width_of(sight) ? number - 1 : TABLE_NO_COLUMN;
}

static bool find_chosen(struct table_sight *sight, const char *columns, struct graph_error *error)
{
    struct table_look *look = sight->look;
    const char *comma = strchr(columns, ',');
    for (; comma != NULL; comma = strchr(comma + 1, ',')) { /* a word may hold a comma */
        look->ends[0] = find_column(sight, columns, (size_t)(comma - columns));
        look->ends[1] = find_column(sight, comma + 1, strlen(comma + 1));
        if (look->ends[0] != TABLE_NO_COLUMN && look->ends[1] != TABLE_NO_COLUMN &&
            look->ends[0] != look->ends[1]) {
            return true;
        }
    }
    struct graph_error listed = {0};
    const char *list;
    char quoted[GRAPH_QUOTE_SIZE];
    fail_unsure(sight, &listed);
    list = strstr(listed.message, "It has ");
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           "has no two columns %s, by number or heading. %s",
                           graph_quote(quoted, columns, strlen(columns)), list != NULL ? list : "");
}

/* Values --------------------------------------------------------------------------------------- */

struct values {
    size_t count;
    uint32_t ids[SIGHT_ROWS];
};

static int compare_ids(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/* The different ids of the judged columns, in order. */
static void collect(const struct table_sight *sight, struct values *values, size_t columns)
{
    struct csv_column cells[SIGHT_COLUMNS];
    for (size_t r = sight_start(sight); r < sight->count; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], cells);
        for (size_t c = 0; c < columns && c < width; c++) {
            uint32_t id;
            if (table_cell_kind(&cells[c], &id) == CELL_ID) {
                values[c].ids[values[c].count++] = id;
            }
        }
    }
    for (size_t c = 0; c < columns; c++) {
        size_t kept = 0;
        qsort(values[c].ids, values[c].count, sizeof(uint32_t), compare_ids);
        for (size_t i = 0; i < values[c].count; i++) {
            if (kept == 0 || values[c].ids[i] != values[c].ids[kept - 1]) {
                values[c].ids[kept++] = values[c].ids[i];
            }
        }
        values[c].count = kept;
    }
}

/* The share of the ids of two columns that are in both: 0 to 1. */
static double shared(const struct values *a, const struct values *b)
{
    size_t both = 0;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        const uint32_t x = a->ids[i], y = b->ids[k];
        both += x == y;
        i += x <= y;
        k += y <= x;
    }
    const size_t all = a->count + b->count - both;
    return all > 0 ? (double)both / (double)all : 0;
}

/* True if other columns are as likely the ends as the first two, from start on, are. has_words: of
 * a further column. Then few numbers in the second one are kinds, as a namespace is. */
static bool has_better(const struct table_sight *sight, size_t start, bool has_words)
{
    const size_t width = width_of(sight);
    const size_t judged = width < JUDGED_COLUMNS ? width : JUDGED_COLUMNS;
    const size_t rows = sight->count - sight_start(sight);
    const bool is_rising = sight->columns[start].is_rising && rows >= 3;
    struct values *values = calloc(judged, sizeof(*values));
    if (values == NULL) {
        return true; /* unsure */
    }
    collect(sight, values, judged);
    bool found = has_words && values[start + 1].count * 3 <= rows;
    const double first = shared(&values[start], &values[start + 1]);
    for (size_t i = start; i < judged; i++) {
        for (size_t k = i + 1; k < judged; k++) {
            const bool may_be = sight_kinds(sight, i) == KIND(CELL_ID) &&
                                sight_kinds(sight, k) == KIND(CELL_ID) &&
                                sight->columns[i].varies && sight->columns[k].varies;
            const double other = may_be && k > start + 1 ? shared(&values[i], &values[k]) : -1;
            found |= other > 2 * first + 0.1 || (is_rising && i > start && other >= first);
        }
    }
    free(values);
    return found;
}

/* True if the first two columns, from start on, are sure enough to be the ends. */
static bool are_first_two(const struct table_sight *sight, size_t start)
{
    const size_t width = width_of(sight);
    const size_t shift = shift_of(sight);
    bool has_words = false, has_more_ids = false;
    for (size_t c = start + 2; c < width; c++) {
        const unsigned kinds = sight_kinds(sight, c);
        has_words |= (kinds & ~NUMBERS) != 0;
        has_more_ids |= (kinds & ~IDS) == 0 && sight->columns[c].varies;
    }
    for (size_t c = start; c < start + 2 && sight->look->has_heading; c++) {
        const struct csv_column *word = &sight->words[c - shift];
        if (table_words_is_fact(word->begin, word->length)) {
            return false;
        }
    }
    const bool first = (sight_kinds(sight, start) & ~NUMBERS) == 0;
    const bool second = (sight_kinds(sight, start + 1) & ~NUMBERS) == 0;
    if (first && second) { /* numbers */
        return !(has_words && has_more_ids) && !has_better(sight, start, has_words);
    }
    return !has_words && first == second;
}

bool table_ends_find(struct table_sight *sight, const char *columns, struct graph_error *error)
{
    struct table_look *look = sight->look;
    const size_t start = look->has_index ? 1 : 0;
    enum table_words sure;
    if (columns != NULL) {
        return find_chosen(sight, columns, error);
    }
    if (look->has_heading) {
        const bool is_sure = table_ends_by_words(sight, look->ends, &sure);
        look->ends[0] += shift_of(sight);
        look->ends[1] += shift_of(sight);
        if (is_sure || (sure > WORDS_OTHER && look->width > start + 2)) {
            return is_sure || fail_unsure(sight, error);
        }
    }
    look->ends[0] = start;
    look->ends[1] = start + 1;
    pw_assert(look->width > 0);
    if (look->width <= start + 2 || are_first_two(sight, start)) {
        return look->width >= start + 2 || fail_unsure(sight, error);
    }
    return fail_unsure(sight, error);
}
