/*
 * table_decide.c - looks at the first 64 KiB of a table of edges, and decides what it is.
 *
 * 1. The separator: a tab if the first line has one; else |, semicolon or comma, whichever divides
 *    most lines into the same number of cells; else blanks. Lists of neighbours have two.
 * 2. A heading: words above numbers, words that name the ends of an edge, or an empty first word.
 * 3. What is no list of edges is refused (table_doubt.c); the two ends (table_ends.c).
 * 4. The nodes are ids if all of them are whole numbers within 32 bits, and names otherwise.
 * Cost: a few milliseconds at most.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include "data/read/edge_line.h"
#include "table_look.h"
#include "table_sight.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UNIQUE_ROWS 256 /* whose names are compared */

/* The heading ---------------------------------------------------------------------------------- */

/* True if no further row has a word of the heading, or another name of that beginning. */
static bool are_only_words(const struct table_sight *sight, const size_t ends[2], bool is_numbered)
{
    const struct csv_column *a = &sight->words[ends[0]], *b = &sight->words[ends[1]];
    const size_t stem = table_words_stem(a->begin, a->length, b->begin, b->length);
    struct csv_column cells[SIGHT_COLUMNS];
    for (size_t r = 1; r < sight->count; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], cells);
        for (size_t k = 0; k < 2; k++) {
            const struct csv_column *name = &cells[ends[k]];
            if (ends[k] >= width) {
                continue;
            }
            if ((name->length == a->length && memcmp(name->begin, a->begin, a->length) == 0) ||
                (name->length == b->length && memcmp(name->begin, b->begin, b->length) == 0) ||
                (is_numbered && name->length >= stem && memcmp(name->begin, a->begin, stem) == 0)) {
                return false;
            }
        }
    }
    return true;
}

/* True if no two of the first rows have the same first cell: names of rows differ. */
static bool are_unique(const struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS], firsts[UNIQUE_ROWS];
    size_t count = 0;
    for (size_t r = 1; r < sight->count && count < UNIQUE_ROWS; r++) {
        if (sight_cut(sight, &sight->rows[r], cells) == 0) {
            continue;
        }
        for (size_t k = 0; k < count; k++) {
            if (firsts[k].length == cells[0].length &&
                memcmp(firsts[k].begin, cells[0].begin, cells[0].length) == 0) {
                return false;
            }
        }
        firsts[count++] = cells[0];
    }
    return true;
}

/* True if the heading has an empty first word, or lacks one, above names or numbers of the rows. */
static bool has_index(const struct table_sight *sight, bool has_ends)
{
    const unsigned below = sight->columns[0].kinds;
    if (sight->count < 2 || sight->first_width < 2) {
        return false;
    }
    if (sight->first_width == sight->width_min) {
        bool has_others = sight->first[0] == CELL_EMPTY && (below & KIND(CELL_EMPTY)) == 0;
        for (size_t c = 1; c < sight->first_width && c < SIGHT_COLUMNS; c++) {
            has_others &= sight->first[c] != CELL_EMPTY;
        }
        return has_others && sight->first_width > 2;
    }
    bool has_words = true;
    for (size_t c = 0; c < sight->first_width && c < SIGHT_COLUMNS; c++) {
        has_words &= sight->first[c] == CELL_WORD;
    }
    return has_words && sight->width_min == sight->width_max &&
           sight->width_min == sight->first_width + 1 &&
           (sight->columns[0].is_rising ||
            (has_ends && sight->look->cut.separator != ',' && are_unique(sight)));
}

/* True if the first row is the heading of a list of nodes: an id, and a label or a name. */
static bool is_node_heading(const struct table_sight *sight)
{
    return sight->first_width == 2 &&
           table_words_are_of_nodes(sight->words[0].begin, sight->words[0].length,
                                    sight->words[1].begin, sight->words[1].length);
}

static bool has_heading(const struct table_sight *sight)
{
    const size_t width = sight->first_width < SIGHT_COLUMNS ? sight->first_width : SIGHT_COLUMNS;
    size_t ends[2] = {0, 0}, above = 0, numeric = 0, whole = 0;
    enum table_words sure;
    const bool has_ends = table_ends_by_words(sight, ends, &sure);
    if (width < 2 ||
        (sight->count < 2 && sure < (sight->head->is_pairs ? WORDS_WEAK : WORDS_KNOWN))) {
        return false;
    }
    if (has_index(sight, has_ends && sure != WORDS_LETTERS)) {
        return true;
    }
    for (size_t c = 0; c < width; c++) {
        const unsigned numbers =
            KIND(CELL_ID) | KIND(CELL_WHOLE) | KIND(CELL_NUMBER) | KIND(CELL_CODE);
        const unsigned kinds = sight->columns[c].kinds;
        if (sight->first[c] <= CELL_CODE) {
            return false; /* a heading has words */
        }
        const bool are_numbers =
            (kinds & numbers) != 0 && (kinds & ~(numbers | KIND(CELL_EMPTY))) == 0;
        numeric += are_numbers;
        above += are_numbers && sight->first[c] == CELL_WORD;
        whole += (kinds & ~(KIND(CELL_ID) | KIND(CELL_WHOLE))) == 0;
    }
    if (above > 0 && (width > 2 || numeric == 2 || (whole == 1 && sight->count > 2))) {
        return true;
    }
    if (sure >= WORDS_WEAK || is_node_heading(sight)) {
        return true; /* no node is called "source" */
    }
    return (sure == WORDS_PART || sure == WORDS_NUMBERED) &&
           memchr(sight->words[ends[0]].begin, ' ', sight->words[ends[0]].length) == NULL &&
           are_only_words(sight, ends, sure == WORDS_NUMBERED);
}

/* True if the ends are of two id spaces of Neo4j: ":START_ID(Actor)", ":END_ID(Film)". */
static bool has_two_spaces(const struct table_sight *sight)
{
    const struct table_look *look = sight->look;
    const char *open[2], *end[2];
    for (size_t k = 0; k < 2; k++) {
        if (!look->has_heading || look->has_index || look->ends[k] >= sight->first_width ||
            look->ends[k] >= SIGHT_COLUMNS) {
            return false;
        }
        const struct csv_column *word = &sight->words[look->ends[k]];
        open[k] = memmem(word->begin, word->length, "_ID(", 4);
        end[k] = word->begin + word->length;
        if (open[k] == NULL) {
            return false;
        }
    }
    return end[0] - open[0] != end[1] - open[1] ||
           memcmp(open[0], open[1], (size_t)(end[0] - open[0])) != 0;
}

/* The column under the word Type, if all of it says Directed or Undirected, as Gephi writes it. */
static size_t find_direction(const struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    for (size_t c = 0; c < sight->first_width && c < SIGHT_COLUMNS && !sight->look->has_index;
         c++) {
        const struct csv_column *word = &sight->words[c];
        if (word->length != 4 || strncasecmp(word->begin, "type", 4) != 0) {
            continue;
        }
        size_t r = 1;
        while (r < sight->count && sight_cut(sight, &sight->rows[r], cells) > c &&
               ((cells[c].length == 8 && strncasecmp(cells[c].begin, "directed", 8) == 0) ||
                (cells[c].length == 10 && strncasecmp(cells[c].begin, "undirected", 10) == 0))) {
            r++;
        }
        return r == sight->count && r > 1 ? c : TABLE_NO_COLUMN;
    }
    return TABLE_NO_COLUMN;
}

/* True for APOC's one file of nodes and edges: "_id,_labels,name,_start,_end,_type". */
static bool has_node_rows(const struct table_sight *sight)
{
    const struct table_look *look = sight->look;
    bool has_labels = false;
    for (size_t c = 0; c < sight->first_width && c < SIGHT_COLUMNS; c++) {
        const struct csv_column *word = &sight->words[c];
        has_labels |= word->length == 7 && memcmp(word->begin, "_labels", 7) == 0;
    }
    return has_labels && look->has_heading && strcmp(look->words[0], "_start") == 0 &&
           strcmp(look->words[1], "_end") == 0;
}

/* Ids or names --------------------------------------------------------------------------------- */

static void decide_ids(struct table_sight *sight, const char *format)
{
    struct table_look *look = sight->look;
    const size_t last = look->ends[0] > look->ends[1] ? look->ends[0] : look->ends[1];
    const size_t start = sight_start(sight);
    look->has_ids = true;
    if (last >= SIGHT_COLUMNS || sight->count == start) {
        return;
    }
    look->notes.is_rounded =
        sight->columns[look->ends[0]].is_rounded || sight->columns[look->ends[1]].is_rounded;
    const unsigned kinds = sight_kinds(sight, look->ends[0]) | sight_kinds(sight, look->ends[1]);
    const bool has_words = kinds == 0 || (kinds & (KIND(CELL_WORD) | KIND(CELL_CODE))) != 0;
    const bool has_zeros = !look->has_any_cut && (sight->columns[look->ends[0]].has_zeros ||
                                                  sight->columns[look->ends[1]].has_zeros);
    const bool has_names = has_zeros || (kinds & KIND(CELL_WHOLE)) != 0;
    look->is_wide = !has_words && has_names && (kinds & KIND(CELL_NUMBER)) == 0;
    look->has_ids = !has_words && !look->is_wide;
    look->has_points = (kinds & KIND(CELL_NUMBER)) != 0 && !is_one_of(look->cut.separator, " ,");
    if (look->cut.separator == ' ' && !look->has_heading && sight->first[0] <= CELL_WHOLE &&
        sight->first[1] <= CELL_WHOLE) {
        /* A bad line among numbers; the scan refuses it. */
        look->is_wide = has_names;
        look->has_ids = !look->is_wide;
    }
    if (format != NULL && strcmp(format, "names") == 0) {
        look->has_ids = false;
    }
    if (format != NULL && strcmp(format, "edges") == 0) {
        look->has_ids = true;
    }
    look->is_wide &= !look->has_ids;
    look->notes.has_zeros = look->is_wide && has_zeros;
}

/* The story ------------------------------------------------------------------------------------ */

/* True if the text is no table: control characters, which no name holds. */
static bool is_binary(const char *begin, const char *end)
{
    for (const char *p = begin; p < end && *p != '\n'; p++) {
        const unsigned char c = (unsigned char)*p;
        if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f) {
            return true;
        }
    }
    return false;
}

/* Check the end of the first line: with error set if it has a carriage return too many. */
static bool check_line_end(const struct table_sight *sight, struct graph_error *error)
{
    const char *newline =
        memchr(sight->head->begin, '\n', (size_t)(sight->head->end - sight->head->begin));
    const char *end = newline != NULL ? newline : sight->head->end;
    const char *found = memchr(sight->head->begin, '\r', (size_t)(end - sight->head->begin));
    if (found == NULL || found + 1 >= end) {
        return true;
    }
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           found[1] == '\r'
                               ? "the lines end with two carriage returns and a "
                                 "newline: tr -d '\\r' takes them out"
                               : "the lines end with a carriage return alone, as of an "
                                 "old Mac: tr '\\r' '\\n' makes lines of it");
}

static bool fail_no_table(const struct table_sight *sight, struct graph_error *error)
{
    const struct sight_row *row = &sight->rows[0];
    char quoted[GRAPH_QUOTE_SIZE];
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           "expected two node ids, found %s; names have a tab, a comma, a "
                           "semicolon, | or, if each is one word, a blank between them",
                           graph_quote(quoted, row->begin, (size_t)(row->end - row->begin)));
}

/* what: what the lines have more or less of. */
static bool fail_uneven(const struct table_sight *sight, const char *what,
                        struct graph_error *error)
{
    error->remedy = GRAPH_REMEDY_ADJACENCY;
    return graph_fail_line(error, sight->head->path, sight->head->line,
                           "the lines have different numbers of %s", what);
}

/* How many ids a row has, whatever separates them; 0 if it has anything else. */
static size_t count_ids(const struct sight_row *row)
{
    size_t count = 0;
    for (const char *p = row->begin; p < row->end; p++) {
        const bool is_digit = isdigit((unsigned char)*p) != 0;
        if (!is_digit && !is_one_of(*p, " \t,;")) {
            return 0;
        }
        count += is_digit && (p == row->begin || !isdigit((unsigned char)p[-1]));
    }
    return count;
}

/* True if rows with several separators have different numbers of ids, and one more than two. */
static bool are_lists(const struct table_sight *sight)
{
    size_t low = SIZE_MAX, high = 0;
    for (size_t r = 0; r < sight->count; r++) {
        const size_t count = count_ids(&sight->rows[r]);
        low = count < low ? count : low;
        high = count > high ? count : high;
    }
    return low > 0 && low < high && high > 2;
}

/* True if rows of ids have different numbers of them, and one has more than two. */
static bool is_uneven(const struct table_sight *sight)
{
    if (sight->look->has_any_cut) {
        return are_lists(sight);
    }
    const size_t low =
        sight->first_width < sight->width_min ? sight->first_width : sight->width_min;
    const size_t high =
        sight->first_width > sight->width_max ? sight->first_width : sight->width_max;
    bool has_ids = sight->count > 1 && low < high && high > 2;
    for (size_t c = 0; c < high && c < SIGHT_COLUMNS && has_ids; c++) {
        has_ids = (sight->columns[c].kinds & ~KIND(CELL_ID)) == 0 &&
                  (c >= sight->first_width || sight->first[c] == CELL_ID);
    }
    return has_ids && !(sight->first_width < sight->width_min);
}

static void keep_words(struct table_sight *sight)
{
    struct table_look *look = sight->look;
    const size_t shift = look->has_index && sight->first_width < look->width;
    for (size_t k = 0; k < 2 && look->has_heading; k++) {
        const size_t c = look->ends[k] - shift;
        if (look->ends[k] >= shift && c < sight->first_width && c < SIGHT_COLUMNS) {
            const struct csv_column *word = &sight->words[c];
            size_t length = word->length < TABLE_WORD_SIZE ? word->length : TABLE_WORD_SIZE - 1;
            while (length < word->length && length > 0 && (word->begin[length] & 0xc0) == 0x80) {
                length--; /* no half of a character */
            }
            memcpy(look->words[k], word->begin, length);
            look->words[k][length] = '\0';
        }
    }
    if (look->has_heading && !look->is_long) {
        look->head = sight->rows[0].begin;
        look->head_length = (size_t)(sight->rows[0].end - sight->rows[0].begin);
    }
}

/* Look at the rows from begin to end. False with error set. */
static bool look_at(struct table_sight *sight, const char *format, const char *columns,
                    struct graph_error *error)
{
    struct table_look *look = sight->look;
    const bool wants_ids = format != NULL && strcmp(format, "edges") == 0;
    if (!check_line_end(sight, error)) {
        return false;
    }
    sight_find_cut(sight, format != NULL && strcmp(format, "csv") == 0);
    sight_measure(sight);
    look->width = sight->first_width;
    look->has_ids = true;
    look->ends[1] = 1;
    if (sight->count == 0 || is_binary(sight->head->begin, sight->head->end)) {
        return true; /* the reader of the lines says what is wrong */
    }
    if (!utf8_is_text(sight->rows[0].begin, sight->rows[0].end)) {
        return graph_fail_line(error, sight->head->path, sight->head->line,
                               "is not UTF-8 text: " UTF8_WAY);
    }
    if (!table_doubt_check(sight, columns != NULL, error)) {
        return false;
    }
    if (columns == NULL && !wants_ids && is_uneven(sight)) {
        if (!look->has_any_cut && sight->width_min == sight->width_max) {
            return graph_fail_line(error, sight->head->path, sight->head->line,
                                   "has %zu numbers, and the lines below have %zu: if it gives "
                                   "sizes, take it out (tail -n +2)",
                                   sight->first_width, sight->width_min);
        }
        return fail_uneven(sight, "ids", error);
    }
    look->has_heading = has_heading(sight);
    look->has_index = look->has_heading && has_index(sight, true);
    look->width = look->has_heading && look->has_index ? sight->width_min : sight->first_width;
    if (look->width < 2) {
        return true;
    }
    if (look->cut.separator == ' ' && sight->first[0] == CELL_WORD && !look->has_heading &&
        columns == NULL && !look->cut.has_quotes && sight->count > 1 &&
        (sight->width_min != sight->first_width || sight->width_max != sight->first_width)) {
        return wants_ids ||
               fail_uneven(sight, "words; between names with blanks belongs a tab or a comma",
                           error);
    }
    if (look->cut.separator == ' ' && !look->has_heading && columns == NULL && format == NULL &&
        look->width == 2 && !look->has_any_cut &&
        (sight->first[0] == CELL_WORD) != (sight->first[1] == CELL_WORD)) {
        return fail_no_table(sight, error); /* "7 Laos" is a line of a file of names */
    }
    if (columns == NULL && !sight->head->is_pairs && is_node_heading(sight)) {
        return graph_fail_line(error, sight->head->path, sight->head->line,
                               "is a list of nodes, as its heading says, and not of edges; "
                               "--names takes it beside the graph");
    }
    if (!(look->has_any_cut && columns == NULL) && !table_ends_find(sight, columns, error)) {
        return false;
    }
    if (look->has_any_cut) {
        look->width = 2;
    }
    look->direction = look->has_heading ? find_direction(sight) : TABLE_NO_COLUMN;
    decide_ids(sight, format);
    look->is_bipartite = has_two_spaces(sight);
    look->has_ids &= !look->is_bipartite;
    look->has_hash_rows =
        !look->has_ids &&
        (look->has_heading || (look->cut.separator != '\t' && look->cut.separator != ' '));
    look->cut.hash_ends_row &= !look->has_hash_rows;
    keep_words(sight);
    return look->has_ids || look->is_wide || sight->head->is_pairs ||
           table_doubt_check_names(sight, columns != NULL, error);
}

/* True if a separator is in some rows, and in each row that has a blank. */
static bool separates(const struct table_sight *sight, char separator)
{
    bool is_there = false;
    for (size_t r = 0; r < sight->count; r++) {
        const struct sight_row *row = &sight->rows[r];
        const size_t length = (size_t)(row->end - row->begin);
        const bool has_it = memchr(row->begin, separator, length) != NULL;
        if (!has_it && memchr(row->begin, ' ', length) != NULL) {
            return false;
        }
        is_there |= has_it;
    }
    return is_there;
}

static bool look_at_adjacency(struct table_sight *sight, bool is_asked)
{
    static const char separators[] = {'\t', ';', ','};
    struct table_look *look = sight->look;
    if (table_lists_find(sight->head->begin, sight->head->end, look)) {
        look->is_adjacency = true;
        return true;
    }
    if (!is_asked) {
        return false;
    }
    look->is_adjacency = true;
    look->cut = (struct table_cut){.separator = ' '};
    sight_find_rows(sight);
    for (size_t i = 0; i < sizeof(separators) && look->cut.separator == ' '; i++) {
        if (separates(sight, separators[i])) {
            look->cut.separator = separators[i];
        }
    }
    look->cut.has_quotes = look->cut.separator == ',' || look->cut.separator == ';';
    sight_find_rows(sight);
    sight_measure(sight);
    unsigned kinds = 0;
    bool has_zeros = false;
    for (size_t c = 0; c < SIGHT_COLUMNS; c++) {
        kinds |= sight_kinds(sight, c);
        has_zeros |= sight->columns[c].has_zeros;
    }
    look->is_wide = (has_zeros || (kinds & KIND(CELL_WHOLE)) != 0) &&
                    (kinds & ~(KIND(CELL_ID) | KIND(CELL_WHOLE) | KIND(CELL_EMPTY))) == 0;
    look->notes.has_zeros = look->is_wide && has_zeros;
    look->has_ids =
        !look->is_wide && ((sight_kinds(sight, 0) | sight_kinds(sight, 1)) & KIND(CELL_WORD)) == 0;
    return true;
}

bool table_look_at(const struct table_head *head, const char *format, const char *columns,
                   struct table_look *look, struct graph_error *error)
{
    const bool wants_lists = format != NULL && strcmp(format, "adjacency") == 0;
    const bool may_be_lists = wants_lists || (format == NULL && columns == NULL && !head->is_pairs);
    struct table_sight *sight = malloc(sizeof(*sight));
    *look = (struct table_look){.direction = TABLE_NO_COLUMN};
    if (sight == NULL) {
        return graph_fail(error, head->path, "out of memory");
    }
    *sight = (struct table_sight){.look = look, .head = head};
    const bool is_lists = may_be_lists && look_at_adjacency(sight, wants_lists);
    const bool done = is_lists || look_at(sight, format, columns, error);
    if (done && !is_lists) {
        look->heading_size = look->has_heading ? (size_t)(sight->second - head->begin) : 0;
        look->notes.has_sizes = look->has_ids && table_doubt_has_sizes(sight);
        look->notes.has_node_rows = has_node_rows(sight);
        look->notes.has_lone_row =
            columns == NULL && !head->is_pairs && table_doubt_has_lone_row(sight);
    }
    free(sight);
    return done;
}
