/*
 * table_scan.c - reads rows, which are lines unless a cell in quotes holds a newline.
 *
 * 1. An empty line has no edge, nor a comment, nor a heading that a file joined to this one has.
 * 2. A line with a quote is cut to its last cell first, which shows where the row ends.
 * 3. The cells of the two ends are source and target; in an adjacency list, every further one is a
 *    target, too.
 * Cost: one look-up per name, 10 to 100 ns.
 */
#include "table_scan.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include "data/read/csv_column.h"
#include "table_look.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A row, from its first byte to before its newline and carriage return. */
struct row {
    const char *begin, *end;
    const char *newline;
    bool has_quotes;
    uint64_t line;
};

static const char *quote_row(const struct row *row, char quoted[GRAPH_QUOTE_SIZE])
{
    return graph_quote(quoted, row->begin, (size_t)(row->end - row->begin));
}

/* Find where a row with a quote ends. False if it is open; also, with error set, if a quote closes
 * in the middle of a cell. */
static bool end_row(const struct table_text *text, struct row *row, const char *end,
                    struct graph_error *error)
{
    const char *at = row->begin;
    char quoted[GRAPH_QUOTE_SIZE];
    struct csv_column cell;
    enum csv_cut how = CSV_MORE;
    bool has_blanks = false;
    while (how == CSV_MORE &&
           table_cell_cut(&text->look->cut, &at, end, &cell, &how, &has_blanks)) {
    }
    if (how == CSV_BAD) {
        return graph_fail_line(
            error, text->path, row->line, "a quote closes before the end of its column: %s%s",
            graph_quote(quoted, cell.begin - 1, (size_t)(row->newline - cell.begin) + 1),
            memmem(row->begin, (size_t)(row->newline - row->begin), "\\\"", 2) != NULL
                ? ": " TABLE_ESCAPED_WAY
                : "");
    }
    if (how == CSV_OPEN) {
        return false;
    }
    row->newline = memchr(at, '\n', (size_t)(end - at)); /* a block ends with a newline */
    row->end = row->newline - (row->newline > row->begin && row->newline[-1] == '\r');
    return true;
}

/* Cut a cell at *at; *at is NULL after the last. False if no cell is left. */
static inline __attribute__((always_inline)) bool next_cell(const struct table_look *look,
                                                            const struct row *row, const char **at,
                                                            struct csv_column *cell,
                                                            bool *has_blanks)
{
    const char *end = row->end;
    enum csv_cut how = CSV_LAST;
    if (row->has_quotes || look->cut.separator == ' ') {
        const bool is_there = table_cell_cut(&look->cut, at, end, cell, &how, has_blanks);
        *at = is_there && how == CSV_MORE ? *at : NULL;
        return is_there;
    }
    const char *begin = *at;
    const char *stop = memchr(begin, look->cut.separator, (size_t)(end - begin));
    *at = stop != NULL ? stop + 1 : NULL;
    stop = stop != NULL ? stop : end;
    *cell = (struct csv_column){.is_quoted = false};
    csv_column_trim(begin, stop, cell, has_blanks);
    return true;
}

static bool intern(const struct table_text *text, const struct csv_column *cell, uint32_t *node)
{
    const char *begin = cell->begin;
    if (cell->has_doubled) {
        char *name = malloc(cell->length);
        const bool done = name != NULL && graph_names_intern_plain(
                                              text->names, name, csv_column_text(cell, name), node);
        free(name);
        return done;
    }
    return text->look->cut.has_quotes || text->look->cut.separator == ' '
               ? graph_names_intern_plain(text->names, begin, cell->length, node)
               : graph_names_intern(text->names, begin, cell->length, node);
}

/* The number of a node that one side of two has. */
static bool intern_side(const struct table_text *text, const struct csv_column *cell,
                        bool is_target, uint32_t *node)
{
    char name[64];
    const int length = snprintf(name, sizeof(name), "%s %.*s", is_target ? "right" : "left",
                                (int)(cell->length < 40 ? cell->length : 40), cell->begin);
    return graph_names_intern_plain(text->names, name, (size_t)length, node);
}

static const char *separator_name(char separator)
{
    return separator == '\t'  ? "tab"
           : separator == ';' ? "semicolon"
           : separator == '|' ? "|"
           : separator == ' ' ? "blank"
                              : "comma";
}

/* The error of a row without two nodes. empty: "source" or "target" if its cell is there. */
static bool fail_row(const struct table_text *text, const struct row *row, const char *empty,
                     struct graph_error *error)
{
    const struct table_look *look = text->look;
    char quoted[GRAPH_QUOTE_SIZE], more[160] = "";
    if (empty != NULL && (row->has_quotes || look->is_long)) { /* of which awk knows nothing */
        snprintf(more, sizeof(more), ": the %s is empty", empty);
    } else if (empty != NULL) {
        const char *filled = row->end < row->newline ? "!~ /^\\r?$/" : "!= \"\"";
        snprintf(more, sizeof(more),
                 ": the %s is empty (awk -F'%s' '$%zu %s && $%zu %s' drops such rows)", empty,
                 look->cut.separator == '\t' ? "\\t" : (char[]){look->cut.separator, '\0'},
                 look->ends[0] + 1, filled, look->ends[1] + 1, filled);
    }
    if (!look->cut.has_quotes && row->begin < row->end && *row->begin == '"') {
        error->remedy = GRAPH_REMEDY_CSV;
    }
    return graph_fail_line(error, text->path, row->line,
                           "expected two %s with a %s between them, found %s%s",
                           text->names != NULL && !look->is_wide ? "names" : "node ids",
                           separator_name(look->cut.separator), quote_row(row, quoted), more);
}

/* True for what programs write where a value is missing. */
static bool is_missing(const struct csv_column *cell)
{
    static const char *const words[] = {"NULL", "null", "(null)", "NA",   "N/A",   "<NA>",   "#N/A",
                                        "#NV",  "nan",  "NaN",    "None", "#REF!", "#VALUE!"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strlen(words[i]) == cell->length && memcmp(words[i], cell->begin, cell->length) == 0) {
            return true;
        }
    }
    return false;
}

/* The number of the node in a cell. False with error set. */
static inline bool take_node(const struct table_text *text, struct edge_scan *scan,
                             const struct row *row, const struct csv_column *cell, bool is_target,
                             uint32_t *node, struct graph_error *error)
{
    const char *begin = cell->begin, *what = is_target ? "target" : "source";
    if (text->names == NULL) {
        return (table_cell_kind(cell, node) == CELL_ID && *node >= scan->rules->source_min &&
                *node <= scan->rules->source_max) ||
               edge_id_explain(begin, begin + cell->length, scan->rules, what, text->path,
                               row->line, error);
    }
    uint32_t id;
    if (text->look->is_wide && text->look->cut.separator == ' ' &&
        table_cell_kind(cell, &id) > CELL_WHOLE) {
        return fail_row(text, row, NULL, error);
    }
    if (cell->length == 2 && begin[0] == '\\' && begin[1] == 'N' && !cell->is_quoted) {
        return graph_fail_line(error, text->path, row->line,
                               "the %s is \\N, which means a missing value (NULL): grep -vF '\\N' "
                               "drops such rows",
                               what);
    }
    scan->notes.missing_count += cell->length < 8 && is_one_of(*begin, "Nn#<(") && is_missing(cell);
    return (text->look->is_bipartite ? intern_side(text, cell, is_target, node)
                                     : intern(text, cell, node)) ||
           graph_fail(error, text->path, "out of memory for the names");
}

/* Adjacency ------------------------------------------------------------------------------------ */

/* Cut a neighbour of a list with its own separator. */
static bool next_neighbour(const struct table_look *look, const struct row *row, const char **at,
                           struct csv_column *cell)
{
    const char *set = look->has_ids || look->is_wide ? " \t,;"
                      : look->list_separator == ','  ? ","
                                                     : " \t";
    const char *begin = *at, *end = row->end;
    while (begin < end && (is_one_of(*begin, set) || *begin == ' ' || *begin == '\t')) {
        begin++;
    }
    const char *stop = begin;
    while (stop < end && !is_one_of(*stop, set)) {
        stop++;
    }
    *at = stop < end ? stop : NULL;
    while (stop > begin && stop[-1] == ' ') {
        stop--;
    }
    *cell = (struct csv_column){.begin = begin, .length = (size_t)(stop - begin)};
    return true;
}

/* Add the edges from the first cell to each of the others. */
static bool add_adjacency(const struct table_text *text, struct edge_scan *scan,
                          const struct row *row, struct graph_error *error)
{
    const char *at = row->begin;
    const struct table_look *look = text->look;
    struct csv_column cell;
    bool has_source = false, has_target = false;
    uint32_t source = 0, target;
    while (at != NULL) {
        const bool is_there = has_source && look->list_separator != '\0'
                                  ? next_neighbour(look, row, &at, &cell)
                                  : next_cell(look, row, &at, &cell, &scan->notes.has_blanks);
        if (!is_there || cell.length == 0) {
            continue;
        }
        if (!take_node(text, scan, row, &cell, has_source, has_source ? &target : &source, error)) {
            error->remedy = GRAPH_REMEDY_NONE; /* as names, a list would be one */
            return false;
        }
        if (has_source) {
            edge_scan_add(scan, source, target);
            has_target = true;
        } else {
            edge_scan_node(scan, source);
        }
        has_source = true;
    }
    scan->notes.empty_count += has_source && !has_target;
    return true;
}

/* Edges ---------------------------------------------------------------------------------------- */

/* Refuse a row of names with more cells than the first has: a name may hold a separator. */
static bool check_width(const struct table_text *text, struct edge_scan *scan,
                        const struct row *row, const char *at, size_t count,
                        struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    struct csv_column cell;
    bool ignored = false;
    while (at != NULL && next_cell(text->look, row, &at, &cell, &ignored)) {
        count += cell.length > 0 || at != NULL;
    }
    if (text->names == NULL || text->look->is_wide || count <= text->look->width) {
        scan->notes.has_more |= count > text->look->width;
        return true;
    }
    if (text->look->width == 2 && !text->look->has_heading) {
        error->remedy = GRAPH_REMEDY_ADJACENCY;
    }
    return graph_fail_line(error, text->path, row->line,
                           "expected %zu columns with a %s between them, found %zu: %s",
                           text->look->width, separator_name(text->look->cut.separator), count,
                           quote_row(row, quoted));
}

/* Add the edge of a row. */
static bool add_edge(const struct table_text *text, struct edge_scan *scan, const struct row *row,
                     struct graph_error *error)
{
    const struct table_look *look = text->look;
    const enum edge_direction usual = scan->direction;
    const char *at = row->begin;
    struct csv_column cell, ends[2];
    bool is_there[2] = {false, false}, is_undirected = false;
    char quoted[GRAPH_QUOTE_SIZE];
    uint32_t nodes[2];
    size_t count = 0, last = look->ends[0] > look->ends[1] ? look->ends[0] : look->ends[1];
    if (look->direction != TABLE_NO_COLUMN && look->direction > last) {
        last = look->direction;
    }
    while (at != NULL && count <= last &&
           next_cell(look, row, &at, &cell, &scan->notes.has_blanks)) {
        for (size_t k = 0; k < 2; k++) {
            if (count == look->ends[k]) {
                ends[k] = cell;
                is_there[k] = true;
            }
        }
        is_undirected |= count == look->direction && cell.length == 10 &&
                         strncasecmp(cell.begin, "undirected", 10) == 0;
        count++;
    }
    if (count <= last && look->width > 2 && (!is_there[0] || !is_there[1])) {
        return graph_fail_line(error, text->path, row->line,
                               "expected %zu columns with a %s between them, found %zu: %s",
                               look->width, separator_name(look->cut.separator), count,
                               quote_row(row, quoted));
    }
    if (look->notes.has_node_rows && is_there[0] && is_there[1] &&
        ends[0].length + ends[1].length == 0) {
        scan->notes.node_count++;
        return true;
    }
    if (!is_there[0] || !is_there[1] || ends[0].length == 0 || ends[1].length == 0) {
        return fail_row(text, row,
                        !is_there[0] || !is_there[1] ? NULL
                        : ends[0].length == 0        ? "source"
                                                     : "target",
                        error);
    }
    if (!check_width(text, scan, row, at, count, error) ||
        !take_node(text, scan, row, &ends[0], false, &nodes[0], error) ||
        !take_node(text, scan, row, &ends[1], true, &nodes[1], error)) {
        return false;
    }
    scan->direction = is_undirected ? EDGES_BOTH : usual;
    edge_scan_add(scan, nodes[0], nodes[1]);
    scan->direction = usual;
    return true;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* What is rare in a block, and then looked for in each row. */
struct rarities {
    bool has_quotes, has_nul, has_return;
    bool has_bad; /* bytes that are not UTF-8 */
};

static struct rarities look_for(const struct table_text *text, const char *block, size_t length)
{
    return (struct rarities){
        .has_quotes = text->look->cut.has_quotes && memchr(block, '"', length) != NULL,
        .has_nul = memchr(block, '\0', length) != NULL,
        .has_return = memchr(block, '\r', length) != NULL,
        .has_bad = text->names != NULL && !utf8_is_text(block, block + length)};
}

/* False with error set if a row has bytes that no name has. */
static bool check_bytes(const struct table_text *text, const struct row *row,
                        const struct rarities *rare, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const size_t length = (size_t)(row->end - row->begin);
    if (rare->has_nul && memchr(row->begin, '\0', length) != NULL) {
        return graph_fail_line(error, text->path, row->line, "a name holds a NUL byte: %s",
                               quote_row(row, quoted));
    }
    if (rare->has_return && !row->has_quotes && memchr(row->begin, '\r', length) != NULL) {
        return graph_fail_line(error, text->path, row->line, "a carriage return is in the line: %s",
                               quote_row(row, quoted));
    }
    if (rare->has_bad && !utf8_is_text(row->begin, row->end)) {
        return graph_fail_line(error, text->path, row->line,
                               "is not UTF-8 text, found %s: " UTF8_WAY, quote_row(row, quoted));
    }
    return true;
}

/* True if a line has no row: it is empty, a comment, or the heading again. */
static bool is_left_out(const struct table_text *text, struct edge_scan *scan,
                        const struct row *row)
{
    const struct table_look *look = text->look;
    const size_t length = (size_t)(row->end - row->begin);
    if (length == 0) {
        return true;
    }
    if ((*row->begin == '#' && !look->has_hash_rows) ||
        (*row->begin == '%' && (text->names == NULL || look->is_wide || look->is_bipartite))) {
        scan->notes.comment_count++;
        return true;
    }
    if (look->head != NULL && length == look->head_length &&
        memcmp(row->begin, look->head, length) == 0) {
        scan->notes.heading_count++;
        return true;
    }
    if (look->cut.separator == ' ' && !row->has_quotes) {
        const char *p = row->begin;
        while (p < row->end && (*p == ' ' || *p == '\t')) {
            p++;
        }
        return p == row->end;
    }
    return false;
}

static uint64_t count_lines(const char *p, const char *end)
{
    uint64_t lines = 0;
    for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
        lines++;
    }
    return lines;
}

bool table_scan_block(const struct table_text *text, struct edge_scan *scan, const char *block,
                      size_t length, size_t *used, struct graph_error *error)
{
    const char *end = block + length;
    const struct rarities rare = look_for(text, block, length);
    struct row row = {.begin = block};
    const char *line = block; /* with a byte-order mark before the row */
    bool done = true;
    pw_assert(length > 0 && end[-1] == '\n');
    for (; line < end; line = row.newline + 1) {
        row.begin = line;
        row.line = text->first_line + scan->line_count;
        row.newline = memchr(line, '\n', (size_t)(end - line));
        row.begin += row.newline - line >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        row.end = row.newline - (row.newline > row.begin && row.newline[-1] == '\r');
        const bool has_row = !is_left_out(text, scan, &row);
        row.has_quotes = has_row && rare.has_quotes &&
                         memchr(row.begin, '"', (size_t)(row.end - row.begin)) != NULL;
        if (row.has_quotes && !end_row(text, &row, end, error)) {
            break;
        }
        if (has_row) {
            done = check_bytes(text, &row, &rare, error) &&
                   (text->look->is_adjacency ? add_adjacency(text, scan, &row, error)
                                             : add_edge(text, scan, &row, error));
        }
        if (!done) {
            break;
        }
        scan->line_count += row.has_quotes ? count_lines(line, row.newline + 1) : 1;
    }
    *used = (size_t)(line - block);
    return error->message[0] == '\0';
}

bool table_scan_fail_open(const struct table_text *text, const struct edge_scan *scan,
                          struct graph_error *error)
{
    return graph_fail_line(error, text->path, text->first_line + scan->line_count,
                           "a quote that opens here does not close");
}
