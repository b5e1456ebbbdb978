/*
 * edge_columns.c - reads records, which are lines unless a column in quotes holds a newline.
 *
 * 1. A line that opens with # is a comment; an empty one has no edge.
 * 2. A line with a quote is cut to its last column first, which shows where the record ends.
 * 3. The first two columns are source and target; in an adjacency list, every further one is a
 *    target, too.
 * Cost: one look-up per name, 10 to 100 ns.
 */
#include "edge_columns.h"
#include "base/pw_assert.h"
#include "csv_column.h"
#include <stdlib.h>
#include <string.h>

/* A record, from its first byte to before its newline and carriage return. */
struct record {
    const char *begin, *end;
    const char *newline;
    bool has_quotes;
    uint64_t line;
};

/* Find where a record with a quote ends. False if it is open; also, with error set, if a quote
 * closes in the middle of a column. */
static bool end_record(const struct column_text *text, struct record *record, const char *end,
                       struct graph_error *error)
{
    const char *at = record->begin;
    char quoted[GRAPH_QUOTE_SIZE];
    struct csv_column column;
    enum csv_cut cut;
    do {
        cut = csv_column_cut(&at, end, text->columns->separator, &column);
    } while (cut == CSV_MORE);
    if (cut == CSV_BAD) {
        return graph_fail_line(
            error, text->path, record->line, "a quote closes before the end of its column: %s",
            graph_quote(quoted, column.begin - 1, (size_t)(record->newline - column.begin) + 1));
    }
    record->newline = at; /* a block ends with a newline */
    record->end = at - (at > record->begin && at[-1] == '\r');
    return cut == CSV_LAST;
}

/* Cut a column at *at; *at is NULL after the last. */
static inline __attribute__((always_inline)) void next_column(const struct edge_columns *columns,
                                                              const struct record *record,
                                                              const char **at,
                                                              struct csv_column *column)
{
    const char *end = record->end;
    if (record->has_quotes) {
        const enum csv_cut cut = csv_column_cut(at, end, columns->separator, column);
        *at = cut == CSV_MORE ? *at : NULL;
        return;
    }
    const char *stop;
    if (columns->separator == ' ') {
        for (stop = *at; stop < end && *stop != ' ' && *stop != '\t'; stop++) {
        }
    } else {
        stop = memchr(*at, columns->separator, (size_t)(end - *at));
        stop = stop != NULL ? stop : end;
    }
    *column = (struct csv_column){.begin = *at, .length = (size_t)(stop - *at)};
    *at = stop < end ? stop + 1 : NULL;
}

/* The number of the node in a column; what: source or target. False with error set. */
static inline bool take_node(const struct column_text *text, const struct edge_scan *scan,
                             const struct record *record, const struct csv_column *column,
                             const char *what, uint32_t *node, struct graph_error *error)
{
    const char *begin = column->begin;
    bool done;
    if (text->names == NULL) {
        return edge_id_read(begin, begin + column->length, scan->rules, node) ||
               edge_id_explain(begin, begin + column->length, scan->rules, what, text->path,
                               record->line, error);
    }
    if (column->has_doubled) {
        char *name = malloc(column->length);
        done = name != NULL &&
               graph_names_intern_plain(text->names, name, csv_column_text(column, name), node);
        free(name);
    } else if (text->columns->has_quotes || text->columns->separator == ' ') {
        done = graph_names_intern_plain(text->names, begin, column->length, node);
    } else {
        done = graph_names_intern(text->names, begin, column->length, node);
    }
    return done || graph_fail(error, text->path, "out of memory for the names");
}

/* Add the edges from the first column to each of the others. */
static bool add_adjacency(const struct column_text *text, struct edge_scan *scan,
                          const struct record *record, struct graph_error *error)
{
    const char *at = record->begin;
    struct csv_column column;
    bool has_source = false;
    uint32_t source = 0, target;
    while (at != NULL) {
        next_column(text->columns, record, &at, &column);
        if (column.length == 0) {
            continue;
        }
        if (!take_node(text, scan, record, &column, has_source ? "target" : "source",
                       has_source ? &target : &source, error)) {
            return false;
        }
        if (has_source) {
            edge_scan_add(scan, source, target);
        } else {
            edge_scan_node(scan, source);
        }
        has_source = true;
    }
    return true;
}

/* Add the edge of the first two columns. */
static bool add_edge(const struct column_text *text, struct edge_scan *scan,
                     const struct record *record, struct graph_error *error)
{
    const char *at = record->begin;
    const char separator = text->columns->separator;
    struct csv_column first, second = {.length = 0};
    char quoted[GRAPH_QUOTE_SIZE];
    uint32_t source, target;
    next_column(text->columns, record, &at, &first);
    if (at != NULL) {
        next_column(text->columns, record, &at, &second);
    }
    scan->has_more |= at != NULL;
    if (first.length == 0 || second.length == 0) {
        return graph_fail_line(
            error, text->path, record->line, "expected two %s with a %s between them, found %s",
            text->names != NULL ? "names" : "node ids",
            separator == '\t'  ? "tab"
            : separator == ';' ? "semicolon"
                               : "comma",
            graph_quote(quoted, record->begin, (size_t)(record->end - record->begin)));
    }
    if (!take_node(text, scan, record, &first, "source", &source, error) ||
        !take_node(text, scan, record, &second, "target", &target, error)) {
        return false;
    }
    edge_scan_add(scan, source, target);
    return true;
}

static bool fail_nul(const struct column_text *text, const struct record *record,
                     struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    return graph_fail_line(
        error, text->path, record->line, "a name holds a NUL byte: %s",
        graph_quote(quoted, record->begin, (size_t)(record->end - record->begin)));
}

/* A name may open with a percent sign. */
static bool opens_comment(const struct column_text *text, char c)
{
    return c == '#' || (c == '%' && text->names == NULL);
}

static uint64_t count_lines(const char *p, const char *end)
{
    uint64_t lines = 0;
    for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
        lines++;
    }
    return lines;
}

bool edge_columns_scan_block(const struct column_text *text, struct edge_scan *scan,
                             const char *block, size_t length, size_t *used,
                             struct graph_error *error)
{
    const char *end = block + length;
    struct record record = {.begin = block};
    const bool has_quotes = text->columns->has_quotes && memchr(block, '"', length) != NULL;
    const bool has_nul = memchr(block, '\0', length) != NULL;
    bool done = true;
    pw_assert(length > 0 && end[-1] == '\n');
    for (; record.begin < end; record.begin = record.newline + 1) {
        record.line = text->first_line + scan->line_count;
        record.newline = memchr(record.begin, '\n', (size_t)(end - record.begin));
        record.end = record.newline;
        record.end -= record.end > record.begin && record.end[-1] == '\r';
        const size_t line_length = (size_t)(record.end - record.begin);
        const bool has_record = line_length > 0 && !opens_comment(text, *record.begin);
        record.has_quotes =
            has_record && has_quotes && memchr(record.begin, '"', line_length) != NULL;
        if (record.has_quotes && !end_record(text, &record, end, error)) {
            break;
        }
        if (has_record && has_nul &&
            memchr(record.begin, '\0', (size_t)(record.end - record.begin)) != NULL) {
            done = fail_nul(text, &record, error);
        } else if (has_record) {
            done = text->columns->is_adjacency ? add_adjacency(text, scan, &record, error)
                                               : add_edge(text, scan, &record, error);
        }
        if (!done) {
            break;
        }
        scan->line_count += record.has_quotes ? count_lines(record.begin, record.newline + 1) : 1;
    }
    *used = (size_t)(record.begin - block);
    return error->message[0] == '\0';
}

bool edge_columns_fail_open(const struct column_text *text, const struct edge_scan *scan,
                            struct graph_error *error)
{
    return graph_fail_line(error, text->path, text->first_line + scan->line_count,
                           "a quote that opens here does not close");
}
