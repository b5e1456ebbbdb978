/*
 * metis.c - rows of neighbours, with or without weights. Source: METIS manual 5.1, section 4.1.1.
 */
#include "metis.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next number of a row. False at the end of the row, with *bad set when something else is
 * there. */
static bool next_number(const char **cursor, const char *end, uint64_t *value, bool *bad)
{
    const char *p = *cursor;
    while (p < end && is_blank(*p)) {
        p++;
    }
    const char *begin = p;
    *value = 0;
    while (p < end && *p >= '0' && *p <= '9') {
        *value = *value <= UINT32_MAX ? *value * 10 + (uint64_t)(*p - '0') : *value;
        p++;
    }
    *bad = p < end && !is_blank(*p);
    *cursor = begin;
    if (p > begin && !*bad) {
        *cursor = p;
        return true;
    }
    return false;
}

static bool scan_row(const struct graph_format *format, struct edge_scan *scan, uint32_t node,
                     const char *p, const char *end, const char *name, struct graph_error *error)
{
    uint64_t line = format->data_line + scan->line_count + 1;
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t value;
    bool bad = false;
    for (unsigned i = 0; i < format->node_columns; i++) {
        if (!next_number(&p, end, &value, &bad)) {
            return graph_fail_line(error, name, line, "expected %u numbers before the neighbours",
                                   format->node_columns);
        }
    }
    while (next_number(&p, end, &value, &bad)) {
        if (value < 1 || value > format->node_count) {
            return graph_fail_line(error, name, line, "neighbour %llu is outside 1..%llu",
                                   (unsigned long long)value,
                                   (unsigned long long)format->node_count);
        }
        edge_scan_add(scan, node, (uint32_t)value);
        if (format->edge_weights && !next_number(&p, end, &value, &bad)) {
            return graph_fail_line(error, name, line, "expected a weight after each neighbour");
        }
    }
    if (bad) {
        return graph_fail_line(error, name, line, "expected a node id, found %s",
                               graph_quote(quoted, p, (size_t)(end - p)));
    }
    return true;
}

bool metis_scan_block(struct metis_rows *rows, const struct graph_format *format,
                      struct edge_scan *scan, const char *text, size_t length, const char *name,
                      struct graph_error *error)
{
    const char *end = text + length;
    for (const char *p = text, *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        const char *first = p;
        while (first < stop && is_blank(*first)) {
            first++;
        }
        if (first < stop && *first == '%') {
            scan->line_count++;
            continue;
        }
        if (rows->row_count == format->node_count) {
            if (first < stop) {
                return graph_fail_line(error, name, format->data_line + scan->line_count + 1,
                                       "more rows than the %llu nodes declared in line %llu",
                                       (unsigned long long)format->node_count,
                                       (unsigned long long)format->header_line);
            }
        } else {
            rows->row_count++;
            if (!scan_row(format, scan, (uint32_t)rows->row_count, p, stop, name, error)) {
                return false;
            }
        }
        scan->line_count++;
    }
    return true;
}
