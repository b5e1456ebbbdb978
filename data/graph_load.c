/*
 * graph_load.c - read a graph from text: Matrix Market coordinate or an edge list.
 *
 * 1. The first line tells the format; a Matrix Market header gives the legal ids.
 * 2. Each line gives an edge (two for a symmetric entry), kept in file order.
 * 3. Degrees, offsets, then every edge to its place: rows keep the order of the file.
 * Cost: 12 bytes an edge and 8 a node at the peak, and the text.
 */
#include "edge_line.h"
#include "graph.h"
#include "graph_error.h"
#include "matrix_market.h"
#include "text_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct edge {
    uint32_t source, target;
};

struct reader {
    const char *path;
    struct graph_error *error;
    struct edge_rules rules;
    bool is_matrix;
    struct matrix_market matrix;
    uint64_t header_line; /* the line of the size line */
    struct edge *edges;
    uint64_t edge_count, edge_capacity;
    uint64_t entry_count; /* lines that gave edges */
    uint32_t id_min, id_max;
};

static bool add_edge(struct reader *reader, uint32_t source, uint32_t target)
{
    if (reader->edge_count == reader->edge_capacity) {
        uint64_t capacity = reader->edge_capacity ? reader->edge_capacity * 2 : 1024;
        struct edge *edges = capacity <= SIZE_MAX / sizeof *edges
                                 ? realloc(reader->edges, capacity * sizeof *edges)
                                 : NULL;
        if (!edges) {
            return graph_fail(reader->error, reader->path, "out of memory after %llu edges",
                              (unsigned long long)reader->edge_count);
        }
        reader->edges = edges;
        reader->edge_capacity = capacity;
    }
    reader->edges[reader->edge_count++] = (struct edge){source, target};
    return true;
}

static bool add_entry(struct reader *reader, const struct edge_line *entry)
{
    uint32_t low = entry->source < entry->target ? entry->source : entry->target;
    uint32_t high = entry->source < entry->target ? entry->target : entry->source;
    reader->id_min = low < reader->id_min ? low : reader->id_min;
    reader->id_max = high > reader->id_max ? high : reader->id_max;
    reader->entry_count++;
    if (!add_edge(reader, entry->source, entry->target)) {
        return false;
    }
    return !reader->matrix.symmetric || entry->source == entry->target ||
           add_edge(reader, entry->target, entry->source);
}

/* Read the banner, the comments and the size line; *cursor ends up at the first entry. */
static bool read_matrix_header(struct reader *reader, const char **cursor, const char *end,
                               uint64_t *line_number)
{
    const char *stop = text_line_end(*cursor, end);
    reader->is_matrix = true;
    if (!matrix_market_read_banner(*cursor, stop, reader->path, &reader->matrix, reader->error)) {
        return false;
    }
    for (;;) {
        if (stop == end) {
            return graph_fail_line(reader->error, reader->path, *line_number,
                                   "the file ends before the size line");
        }
        const char *begin = stop + 1;
        stop = text_line_end(begin, end);
        ++*line_number;
        const char *p = begin;
        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r')) {
            p++;
        }
        if (p == stop || *p == '%') {
            continue;
        }
        if (!matrix_market_read_size(begin, stop, reader->path, *line_number, &reader->matrix,
                                     reader->error)) {
            return false;
        }
        break;
    }
    reader->header_line = *line_number;
    reader->rules.source_min = reader->rules.target_min = 1;
    reader->rules.source_max = reader->matrix.rows;
    reader->rules.target_max = reader->matrix.columns;
    reader->rules.value_count = reader->matrix.value_count;
    *cursor = stop;
    return true;
}

static bool read_entries(struct reader *reader, const char *p, const char *end,
                         uint64_t *line_number, const struct graph_options *options)
{
    struct edge_line entry = {0, 0, false};
    while (p < end) {
        const char *stop = text_line_end(p, end);
        enum edge_line_kind kind = edge_line_read(p, stop, &reader->rules, &entry);
        ++*line_number;
        if (kind == EDGE_LINE_EDGE && reader->is_matrix &&
            reader->entry_count == reader->matrix.entry_count) {
            return graph_fail_line(reader->error, reader->path, *line_number,
                                   "more entries than the %llu declared in line %llu",
                                   (unsigned long long)reader->matrix.entry_count,
                                   (unsigned long long)reader->header_line);
        }
        if (kind == EDGE_LINE_BAD) {
            return edge_line_explain(p, stop, &reader->rules, reader->path, *line_number,
                                     reader->error);
        }
        if (kind == EDGE_LINE_EDGE && !add_entry(reader, &entry)) {
            return false;
        }
        p = stop + (stop < end);
    }
    if (reader->is_matrix && reader->entry_count < reader->matrix.entry_count) {
        return graph_fail_line(reader->error, reader->path, *line_number,
                               "the file ends after %llu of the %llu entries declared in line %llu",
                               (unsigned long long)reader->entry_count,
                               (unsigned long long)reader->matrix.entry_count,
                               (unsigned long long)reader->header_line);
    }
    if (!reader->is_matrix && reader->entry_count == 0) {
        return graph_fail_line(reader->error, reader->path, *line_number, "no edge in the file");
    }
    if (options && options->repeat_last_entry && reader->entry_count > 0) {
        entry = (struct edge_line){reader->edges[reader->edge_count - 1].source,
                                   reader->edges[reader->edge_count - 1].target, false};
        return add_entry(reader, &entry);
    }
    return true;
}

/* Refuse offsets and neighbours that the machine cannot hold, with the figure. */
static bool check_memory(const struct reader *reader, uint64_t node_limit)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page_size > 0 ? (uint64_t)pages * (uint64_t)page_size : 0;
    uint64_t needed = (node_limit + 1) * sizeof(uint64_t);
    if (memory > 0 && needed > memory) {
        return graph_fail(reader->error, reader->path,
                          "node ids up to %llu need %llu bytes of offsets; the machine has %llu",
                          (unsigned long long)(node_limit - 1), (unsigned long long)needed,
                          (unsigned long long)memory);
    }
    return true;
}

static bool build_rows(const struct reader *reader, struct graph *graph)
{
    uint64_t limit = reader->is_matrix
                         ? (reader->matrix.rows > reader->matrix.columns ? reader->matrix.rows
                                                                         : reader->matrix.columns) +
                               1
                         : (uint64_t)reader->id_max + 1;
    if (!check_memory(reader, limit)) {
        return false;
    }
    graph->first_node = reader->is_matrix || reader->id_min > 0 ? 1 : 0;
    graph->node_limit = (uint32_t)limit;
    graph->edge_count = reader->edge_count;
    graph->offsets = calloc(limit + 1, sizeof *graph->offsets);
    graph->neighbours = malloc(reader->edge_count * sizeof *graph->neighbours + 1);
    if (!graph->offsets || !graph->neighbours) {
        graph_free(graph);
        return graph_fail(reader->error, reader->path, "out of memory for %llu nodes, %llu edges",
                          (unsigned long long)limit, (unsigned long long)reader->edge_count);
    }
    uint64_t *offsets = graph->offsets;
    for (uint64_t i = 0; i < reader->edge_count; i++) {
        offsets[reader->edges[i].source]++;
    }
    uint64_t sum = 0; /* offsets[u] becomes the begin of row u, then, filled, its end */
    for (uint64_t u = 0; u <= limit; u++) {
        uint64_t degree = offsets[u];
        offsets[u] = sum;
        sum += degree;
    }
    for (uint64_t i = 0; i < reader->edge_count; i++) {
        graph->neighbours[offsets[reader->edges[i].source]++] = reader->edges[i].target;
    }
    memmove(offsets + 1, offsets, limit * sizeof *offsets);
    offsets[0] = 0;
    return true;
}

bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error)
{
    struct text_file file;
    struct reader reader = {.path = path, .error = error, .id_min = UINT32_MAX};
    uint64_t line_number = 0;
    memset(graph, 0, sizeof *graph);
    error->message[0] = '\0';
    reader.rules.source_max = reader.rules.target_max = GRAPH_NODE_MAX;
    if (!text_file_read(path, &file, error)) {
        return false;
    }
    const char *p = file.text;
    const char *end = file.text + file.length;
    bool done = true;
    if (matrix_market_is_banner(p, file.length)) {
        line_number = 1;
        done = read_matrix_header(&reader, &p, end, &line_number);
        p += p < end;
    }
    done = done && read_entries(&reader, p, end, &line_number, options);
    text_file_free(&file);
    done = done && build_rows(&reader, graph);
    free(reader.edges);
    return done;
}

void graph_free(struct graph *graph)
{
    free(graph->offsets);
    free(graph->neighbours);
    free(graph->in_offsets);
    free(graph->in_neighbours);
    memset(graph, 0, sizeof *graph);
}
