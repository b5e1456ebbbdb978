/*
 * metis.c - reads lists of neighbours, with or without weights.
 *
 * Format 100 has two meanings. In METIS, a size comes before the neighbours of each node. In the
 * 10th DIMACS challenge and gapbs, there are loops and repeats, and the header counts every number.
 * The numbers of a short file decide; a long one is taken for the challenge's, which are many.
 * Sources: METIS manual 5.1, section 4.1.1; www.cc.gatech.edu/dimacs10/downloads.shtml; gapbs,
 * reader.h.
 */
#include "metis.h"
#include "base/pw_assert.h"
#include <string.h>

/* The third number of the first line: three digits, each 0 or 1. */
static bool is_weighting(uint64_t value)
{
    return value <= 111 && value % 10 <= 1 && value / 10 % 10 <= 1;
}

bool metis_matches(const struct graph_header *header)
{
    /* Only the whole lines that are in the head already are looked at. */
    const struct text_source *source = header->source;
    const char *last = memrchr(source->head, '\n', source->head_length);
    struct text_source seen = {.head = source->head, .head_is_all = true};
    seen.head_length = source->head_is_all ? source->head_length
                       : last != NULL      ? (size_t)(last - source->head) + 1
                                           : 0;
    struct graph_header look = {.source = &seen};
    uint64_t values[4], nodes = 0, edges = 0, rows = 0, numbers = 0;
    size_t columns = 0;
    bool uneven = false, has_format = false;
    struct graph_line line;
    while (graph_header_next(&look, &line)) {
        const char *first = graph_line_start(line);
        if (first < line.end && (*first == '%' || *first == '#')) {
            continue;
        }
        size_t count = graph_line_numbers(line, values);
        if (count == SIZE_MAX || (nodes == 0 && (count < 2 || count > 4))) {
            return false;
        }
        if (nodes == 0) {
            nodes = values[0];
            edges = values[1];
            has_format = count > 2;
            if (nodes == 0 || (has_format && !is_weighting(values[2]))) {
                return false;
            }
            continue;
        }
        if (++rows > nodes) {
            return false;
        }
        for (size_t i = 0; i < count && i < 4 && !has_format; i++) {
            if (values[i] == 0 || values[i] > nodes || values[i] == rows) {
                return false;
            }
        }
        pw_assert(rows <= nodes);
        columns = columns == 0 ? count : columns;
        /* An empty line may also occur in an edge list. */
        uneven |= count != columns && (count > 0 || source->head_is_all);
        numbers += count;
    }
    if (source->head_is_all) {
        return uneven && rows == nodes && (has_format || numbers == 2 * edges);
    }
    return uneven && rows > 0;
}

/* True if format 100 has METIS's meaning: sizes of nodes. The header is past its first line. */
static bool has_node_sizes(const struct graph_header *header, uint64_t nodes, uint64_t edges)
{
    struct graph_header look = *header;
    uint64_t values[4], numbers = 0;
    struct graph_line line;
    if (header->options->format != NULL) {
        return true; /* the caller says that it is METIS */
    }
    while (look.source->head_is_all && graph_header_next(&look, &line)) {
        if (line.begin < line.end && *line.begin != '%') {
            numbers += graph_line_numbers(line, values);
        }
    }
    return numbers == 2 * edges + nodes;
}

bool metis_read(struct graph_header *header)
{
    struct graph_line line;
    uint64_t values[4] = {0, 0, 0, 1};
    if (!graph_header_next_data(header, '\0', "line \"nodes edges\"", &line)) {
        return false;
    }
    size_t count = graph_line_numbers(line, values);
    if (count < 2 || count > 4 || values[0] > GRAPH_NODE_MAX || values[2] > 111 ||
        values[3] > 1000 || values[1] > UINT64_MAX / 64) {
        return graph_header_fail(header, "\"nodes edges [format [weights]]\"", line);
    }
    bool all_counted = values[2] == 100 && !has_node_sizes(header, values[0], values[1]);
    header->format->kind = FORMAT_METIS;
    header->format->edge_weights = values[2] % 10 == 1;
    header->format->node_columns = (values[2] / 100 == 1 && !all_counted) +
                                   (values[2] / 10 % 10 == 1 ? (unsigned)values[3] : 0);
    graph_header_declare(header, values[0], values[0], all_counted ? values[1] : values[1] * 2);
    if (header->format->edge_weights || header->format->node_columns > 0) {
        graph_header_remark_weights(header);
    }
    return true;
}

static bool scan_row(const struct graph_format *format, struct edge_scan *scan, uint32_t node,
                     struct graph_line rest, const char *name, struct graph_error *error)
{
    uint64_t line = format->data_line + scan->line_count + 1;
    pw_assert(node >= 1 && node <= format->node_count);
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t value;
    for (unsigned i = 0; i < format->node_columns; i++) {
        if (!graph_line_number(&rest, &value)) {
            return graph_fail_line(error, name, line, "expected %u numbers before the neighbours",
                                   format->node_columns);
        }
    }
    while (graph_line_number(&rest, &value)) {
        if (value < 1 || value > format->node_count) {
            return graph_fail_line(error, name, line, "neighbour %llu is outside 1..%llu",
                                   (unsigned long long)value,
                                   (unsigned long long)format->node_count);
        }
        edge_scan_add(scan, node, (uint32_t)value);
        if (format->edge_weights && !graph_line_number(&rest, &value)) {
            return graph_fail_line(error, name, line, "expected a weight after each neighbour");
        }
    }
    if (rest.begin < rest.end) {
        return graph_fail_line(error, name, line, "expected a node id, found %s",
                               graph_quote(quoted, rest.begin, (size_t)(rest.end - rest.begin)));
    }
    return true;
}

bool metis_scan_block(const struct graph_format *format, struct edge_scan *scan,
                      uint64_t *row_count, const char *text, size_t length, const char *name,
                      struct graph_error *error)
{
    const char *end = text + length;
    for (struct graph_line line = {text, NULL}; line.begin < end; line.begin = line.end + 1) {
        line.end = memchr(line.begin, '\n', (size_t)(end - line.begin));
        pw_assert(line.end != NULL && *row_count <= format->node_count);
        const char *first = graph_line_start(line);
        bool is_comment = first < line.end && *first == '%';
        if (!is_comment && *row_count < format->node_count) {
            ++*row_count;
            if (!scan_row(format, scan, (uint32_t)*row_count, line, name, error)) {
                return false;
            }
        } else if (!is_comment && first < line.end) {
            return graph_fail_line(error, name, format->data_line + scan->line_count + 1,
                                   "more rows than the %llu nodes declared in line %llu",
                                   (unsigned long long)format->node_count,
                                   (unsigned long long)format->header_line);
        }
        scan->line_count++;
    }
    return true;
}
