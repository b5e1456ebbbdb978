/*
 * table_rows.c - cuts the rows of a table that is looked at: its separator, its quotes, and what is
 * in each column.
 *
 * The separator is a tab if the first line has one; else |, semicolon or comma, whichever divides
 * most lines into the same number of cells; else blanks. Quotes are quotes in CSV; between tabs and
 * blanks only if the first row has its words in quotes.
 */
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include "data/read/edge_line.h"
#include "table_sight.h"
#include <ctype.h>
#include <string.h>

size_t sight_start(const struct table_sight *sight)
{
    return sight->look->has_heading && sight->count > 0;
}

unsigned sight_kinds(const struct table_sight *sight, size_t column)
{
    pw_assert(column < SIGHT_COLUMNS);
    const bool has_first = !sight->look->has_heading && column < sight->first_width;
    return sight->columns[column].kinds | (has_first ? KIND(sight->first[column]) : 0);
}

size_t sight_cut(const struct table_sight *sight, const struct sight_row *row,
                 struct csv_column *cells)
{
    const struct table_cut *cut = &sight->look->cut;
    const char *at = row->begin;
    enum csv_cut how = CSV_MORE;
    bool has_blanks = false;
    size_t width = 0;
    while (how == CSV_MORE) {
        struct csv_column cell;
        if (!table_cell_cut(cut, &at, row->end, &cell, &how, &has_blanks)) {
            break;
        }
        if (how == CSV_OPEN || how == CSV_BAD) {
            return 0;
        }
        if (width < SIGHT_COLUMNS) {
            cells[width] = cell;
        }
        width++;
    }
    return width;
}

/* Where a row ends: its newline, or the end of the text. NULL if a quote does not close. */
static const char *find_row_end(const struct table_cut *cut, const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    newline = newline != NULL ? newline : end;
    if (!cut->has_quotes || cut->separator == ' ' ||
        memchr(at, '"', (size_t)(newline - at)) == NULL) {
        return newline;
    }
    struct csv_column cell;
    enum csv_cut how;
    do {
        how = csv_column_cut(&at, end, cut->separator, &cell);
    } while (how == CSV_MORE);
    return how == CSV_OPEN ? NULL : how == CSV_BAD ? newline : at;
}

/* True if a line may be a row of words that opens with #: blanks do not separate, the first row is
 * no number, and the line has a separator. */
static bool is_hash_row(const struct table_sight *sight, const char *line)
{
    const char separator = sight->look->cut.separator;
    const char *newline = memchr(line, '\n', (size_t)(sight->head->end - line));
    const size_t length = (size_t)((newline != NULL ? newline : sight->head->end) - line);
    return separator != ' ' && sight->count > 0 && !isdigit((unsigned char)*sight->rows[0].begin) &&
           memchr(line, separator, length) != NULL;
}

void sight_find_rows(struct table_sight *sight)
{
    struct table_look *look = sight->look;
    sight->count = 0;
    sight->second = sight->head->end;
    look->is_long = false;
    for (const char *p = sight->head->begin; p < sight->head->end;) {
        const bool is_comment = *p == '\n' || *p == '\r' || (*p == '#' && !is_hash_row(sight, p)) ||
                                (*p == '%' && sight->count > 0 && !isxdigit((unsigned char)p[1]));
        const char *line = memchr(p, '\n', (size_t)(sight->head->end - p));
        const char *stop = is_comment ? (line != NULL ? line : sight->head->end)
                                      : find_row_end(&look->cut, p, sight->head->end);
        look->is_long |= stop == NULL || (line != NULL && line < stop);
        if (stop == NULL) {
            return;
        }
        if (!is_comment && sight->count < SIGHT_ROWS) {
            sight->rows[sight->count++] =
                (struct sight_row){p, stop - (stop > p && stop[-1] == '\r')};
            sight->second = sight->count == 1 ? stop + (stop < sight->head->end) : sight->second;
        }
        p = stop + (stop < sight->head->end);
    }
}

/* How many rows a separator does not fit. SIZE_MAX if it does not divide the first. */
static size_t count_unfit(const struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    size_t unfit = 0, first = 0;
    for (size_t i = 0; i < sight->count; i++) {
        const size_t width = sight_cut(sight, &sight->rows[i], cells);
        bool has_fault = width < 2;
        for (size_t k = 0; k < width && k < SIGHT_COLUMNS && sight->look->cut.separator != ' ';
             k++) {
            has_fault |= !cells[k].is_quoted && cells[k].length > 0 &&
                         memchr(cells[k].begin, '"', cells[k].length) != NULL;
        }
        first = i == 0 ? width : first;
        unfit += has_fault || width != first;
    }
    return sight->count > 0 && first > 1 ? unfit : SIZE_MAX;
}

/* True if a separator is in the first line, outside of quotes or also in them; a separator of CSV
 * also in a row of several lines. */
static bool has_in_first(const struct table_sight *sight, char separator, bool also_quoted)
{
    bool in_quotes = false;
    for (const char *p = sight->head->begin;
         p < sight->head->end && (*p != '\n' || (in_quotes && separator != '\t')); p++) {
        if (*p == separator && (also_quoted || !in_quotes)) {
            return true;
        }
        in_quotes ^= *p == '"';
    }
    return false;
}

/* True if the cells of the first row are in quotes, other than numbers: then quotes are quotes. */
static bool has_quoted_row(struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    size_t quoted = 0;
    uint32_t id;
    sight->look->cut.has_quotes = true;
    sight_find_rows(sight);
    const size_t width = sight->count > 0 ? sight_cut(sight, &sight->rows[0], cells) : 0;
    bool is_quoted = true;
    for (size_t i = 0; i < width && i < SIGHT_COLUMNS; i++) {
        quoted += cells[i].is_quoted;
        is_quoted &= cells[i].is_quoted || table_cell_kind(&cells[i], &id) <= CELL_CODE;
    }
    return is_quoted && quoted > 1;
}

/* What rows of ids have besides. */
struct id_rows {
    bool has_any_cut; /* another separator than blanks */
    bool has_words;
};

/* True if each row begins with two ids, whatever separates them. */
static bool are_rows_of_ids(struct table_sight *sight, struct id_rows *found)
{
    static const struct edge_rules any = {
        .source_max = GRAPH_NODE_MAX, .target_max = GRAPH_NODE_MAX, .is_table = true};
    struct csv_column cells[SIGHT_COLUMNS];
    struct edge_line line;
    uint32_t id;
    size_t i = 0;
    *found = (struct id_rows){.has_words = false};
    sight->look->cut = (struct table_cut){.separator = ' ', .hash_ends_row = true};
    sight_find_rows(sight);
    for (; i < sight->count; i++) {
        const struct sight_row *row = &sight->rows[i];
        if (edge_line_read(row->begin, row->end, &any, &line) != EDGE_LINE_EDGE) {
            return false;
        }
        const size_t width = sight_cut(sight, row, cells);
        found->has_any_cut |= width < 2;
        for (size_t c = 0; c < width && c < SIGHT_COLUMNS; c++) {
            const enum table_cell_kind kind = table_cell_kind(&cells[c], &id);
            found->has_any_cut |= c < 2 && kind != CELL_ID;
            found->has_words |= kind == CELL_WORD;
        }
    }
    return sight->count > 0;
}

/* True if tabs divide the first row into two whole numbers, maybe with more after them. */
static bool has_two_numbers(struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    uint32_t id;
    sight->look->cut = (struct table_cut){.separator = '\t'};
    sight_find_rows(sight);
    return sight->count > 0 && sight_cut(sight, &sight->rows[0], cells) > 1 &&
           table_cell_kind(&cells[0], &id) <= CELL_WHOLE &&
           table_cell_kind(&cells[1], &id) <= CELL_WHOLE;
}

/* True if the first line ends with data in braces after blanks, as NetworkX writes it. */
static bool has_data(const struct table_sight *sight)
{
    const char *end = sight->head->end;
    bool has_brace = false;
    char last = '\0';
    for (const char *p = sight->head->begin; p < end && *p != '\n' && *p != '\t'; p++) {
        has_brace |= *p == '{' && last == ' ';
        if (*p != '\r') {
            last = *p;
        }
    }
    return has_brace && last == '}';
}

/* True if each comma of the first line is a decimal one, and blanks are in it: "a b 0,5". */
static bool has_decimal_commas(const struct table_sight *sight)
{
    size_t blanks = 0, commas = 0;
    char last = ' ';
    for (const char *p = sight->head->begin; p < sight->head->end && *p != '\n'; p++) {
        if (*p == ',' && (!isdigit((unsigned char)last) || p + 1 == sight->head->end ||
                          !isdigit((unsigned char)p[1]))) {
            return false;
        }
        blanks += *p == ' ';
        commas += *p == ',';
        last = *p;
    }
    return blanks > 1 && commas > 0;
}

void sight_find_cut(struct table_sight *sight, bool is_csv)
{
    static const char separators[] = {'|', ';', ','};
    struct table_look *look = sight->look;
    size_t best = SIZE_MAX;
    char separator = ' ';
    for (size_t i = 0;
         i < sizeof(separators) && !has_in_first(sight, '\t', false) && !has_data(sight); i++) {
        if (!has_in_first(sight, separators[i], false) ||
            (separators[i] == ',' && has_decimal_commas(sight))) {
            continue;
        }
        look->cut = (struct table_cut){.separator = separators[i], .has_quotes = true};
        sight_find_rows(sight);
        const size_t unfit = count_unfit(sight);
        if (unfit < best) {
            best = unfit;
            separator = separators[i];
        }
    }
    if (has_in_first(sight, '\t', best == SIZE_MAX)) {
        separator = '\t';
    }
    if (separator == ' ' || (separator == '\t' && !has_two_numbers(sight)) ||
        (separator != '\t' && best > 0)) { /* blanks and tabs, or several */
        struct id_rows rows;
        if (are_rows_of_ids(sight, &rows) &&
            (separator != '\t' || !(rows.has_any_cut || rows.has_words))) {
            look->has_any_cut = rows.has_any_cut;
            return;
        }
    }
    look->cut = (struct table_cut){.separator = separator,
                                   .has_quotes = separator != '\t' && separator != ' ',
                                   .hash_ends_row = separator == ' '};
    if (separator == '\t' || separator == ' ') {
        look->cut.has_quotes = (separator == '\t' && is_csv) || has_quoted_row(sight);
    }
    sight_find_rows(sight);
}

void sight_measure(struct table_sight *sight)
{
    struct csv_column cells[SIGHT_COLUMNS];
    memset(sight->columns, 0, sizeof(sight->columns));
    sight->width_min = SIZE_MAX;
    sight->width_max = sight->first_width = 0;
    for (size_t r = 0; r < sight->count; r++) {
        const size_t width = sight_cut(sight, &sight->rows[r], r == 0 ? sight->words : cells);
        sight->first_width = r == 0 ? width : sight->first_width;
        for (size_t c = 0; c < width && c < SIGHT_COLUMNS; c++) {
            struct sight_column *column = &sight->columns[c];
            uint32_t id = 0;
            const struct csv_column *cell = r == 0 ? &sight->words[c] : &cells[c];
            const enum table_cell_kind kind = table_cell_kind(cell, &id);
            column->is_rounded |= table_cell_is_rounded(cell);
            column->has_zeros |= table_cell_has_zeros(cell);
            if (r == 0) {
                sight->first[c] = kind;
                column->is_rising = true;
                column->last = id;
                continue;
            }
            const bool follows = r > 1 || sight->first[c] == CELL_ID;
            column->kinds |= KIND(kind);
            column->is_rising &= kind == CELL_ID && (!follows || id > column->last);
            column->varies |= follows && id != column->last;
            column->last = id;
        }
        if (r > 0) {
            sight->width_min = width < sight->width_min ? width : sight->width_min;
            sight->width_max = width > sight->width_max ? width : sight->width_max;
        }
    }
    sight->width_min = sight->count > 1 ? sight->width_min : sight->first_width;
    sight->width_max = sight->count > 1 ? sight->width_max : sight->first_width;
}
