/*
 * drawn_graphs.c - Kronecker, uniform and grid graphs.
 *
 * 1. Edge i follows from the seed and i alone, so it can be drawn twice, by any thread.
 * 2. All edges are drawn to count degrees, then again to put them in place, then lists are sorted:
 *    the graph does not depend on which thread drew what.
 * Loops and repeats stay. Cost, of a Kronecker graph: about 8 ns per edge and level, on one thread.
 * Source: P. Erdos, A. Renyi, On random graphs (1959); kronecker.c names its own.
 */
#include "drawn_graphs.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/parallel.h"
#include "kronecker.h"
#include "random_stream.h"
#include "sort_ids.h"

#define PLACE        "generated graph" /* the place in error messages */
#define EDGES_AT_ONE 65536             /* edges that a thread draws at a time */
#define ROWS_AT_ONE  4096
#define THREADS_MAX  64

struct drawing {
    const struct graph_generate_options *options;
    bool both; /* Kronecker: each edge goes both ways */
    struct kronecker kronecker;
    /* While counting, the count of id u is at u + 1; afterwards the place of its next edge. */
    uint64_t *counts;
    uint32_t *neighbours; /* NULL while counting */
    const uint64_t *offsets;
};

static void draw_uniform(const struct drawing *drawing, uint64_t edge, uint64_t ends[2])
{
    uint64_t state = random_stream(drawing->options->seed, STREAM_EDGE, edge);
    ends[0] = random_below(splitmix_next(&state), drawing->options->nodes);
    ends[1] = random_below(splitmix_next(&state), drawing->options->nodes);
}

/* Count an edge, or put it in its place. Ends are from 0, ids from 1. */
static void add(struct drawing *drawing, uint32_t source, uint32_t target)
{
    uint64_t place = __atomic_fetch_add(&drawing->counts[source + 2], 1, __ATOMIC_RELAXED);
    if (drawing->neighbours != NULL) {
        drawing->neighbours[place] = target + 1;
    }
}

static void draw_edges(void *context, unsigned number, size_t index)
{
    (void)number;
    struct drawing *drawing = context;
    const uint64_t count = drawing->options->edges;
    uint64_t edge = (uint64_t)index * EDGES_AT_ONE;
    for (uint64_t end = edge + EDGES_AT_ONE; edge < end && edge < count; edge++) {
        uint64_t ends[2];
        if (drawing->both) {
            kronecker_edge(&drawing->kronecker, edge, ends);
        } else {
            draw_uniform(drawing, edge, ends);
        }
        add(drawing, (uint32_t)ends[0], (uint32_t)ends[1]);
        if (drawing->both && ends[0] != ends[1]) {
            add(drawing, (uint32_t)ends[1], (uint32_t)ends[0]);
        }
    }
}

static void sort_lists(void *context, unsigned number, size_t index)
{
    (void)number;
    struct drawing *drawing = context;
    uint64_t id = (uint64_t)index * ROWS_AT_ONE + 1;
    for (uint64_t end = id + ROWS_AT_ONE; id < end && id <= drawing->options->nodes; id++) {
        uint64_t begin = drawing->offsets[id], count = drawing->offsets[id + 1] - begin;
        sort_ids(drawing->neighbours + begin, (size_t)count);
    }
}

/* Do count edges or lists, at_once of them per piece. */
static void run(struct drawing *drawing, uint64_t count, uint64_t at_once, parallel_piece *piece)
{
    unsigned threads = parallel_count(drawing->options->threads);
    parallel_each(threads < THREADS_MAX ? threads : THREADS_MAX, (size_t)(count / at_once) + 1,
                  piece, drawing);
}

static bool fail_memory(struct graph *graph, uint64_t edges, struct graph_error *error)
{
    unsigned long nodes = graph_node_count(graph);
    graph_free(graph);
    return graph_fail(error, PLACE, "out of memory for %lu nodes and %llu edges", nodes,
                      (unsigned long long)edges);
}

static bool draw_random(const struct graph_generate_options *options, struct graph *graph,
                        struct graph_error *error)
{
    struct drawing drawing = {.options = options, .counts = graph->offsets};
    if (options->model == GRAPH_MODEL_KRONECKER) {
        drawing.both = true;
        kronecker_open(&drawing.kronecker, (unsigned)__builtin_ctz(options->nodes), options->seed);
    }
    run(&drawing, options->edges, EDGES_AT_ONE, draw_edges);
    /* Degrees become the beginnings of the lists, which move to their ends while the lists fill. */
    uint64_t sum = 0;
    for (uint64_t id = 1; id <= options->nodes; id++) {
        uint64_t degree = graph->offsets[id + 1];
        graph->offsets[id + 1] = sum;
        sum += degree;
    }
    graph->edge_count = sum;
    graph->neighbours = graph_map_array(graph, sum, sizeof(*graph->neighbours));
    if (graph->neighbours == NULL) {
        return fail_memory(graph, sum, error);
    }
    drawing.neighbours = graph->neighbours;
    run(&drawing, options->edges, EDGES_AT_ONE, draw_edges);
    drawing.offsets = graph->offsets;
    run(&drawing, options->nodes, ROWS_AT_ONE, sort_lists);
    return true;
}

/* The lists of a grid, whose nodes are numbered row by row. */
static bool draw_grid(const struct graph_generate_options *options, struct graph *graph,
                      struct graph_error *error)
{
    const uint64_t nodes = options->nodes, columns = options->columns, rows = nodes / columns;
    graph->edge_count = 2 * (rows * (columns - 1) + columns * (rows - 1));
    graph->neighbours = graph_map_array(graph, graph->edge_count, sizeof(*graph->neighbours));
    if (graph->neighbours == NULL) {
        return fail_memory(graph, graph->edge_count, error);
    }
    uint64_t edge = 0;
    for (uint64_t id = 1; id <= nodes; id++) {
        const uint64_t column = (id - 1) % columns;
        const struct {
            bool is_there;
            uint64_t id;
        } beside[] = {{id > columns, id - columns},
                      {column > 0, id - 1},
                      {column + 1 < columns, id + 1},
                      {id + columns <= nodes, id + columns}};
        for (size_t i = 0; i < COUNT_OF(beside); i++) {
            if (beside[i].is_there) {
                graph->neighbours[edge++] = (uint32_t)beside[i].id;
            }
        }
        graph->offsets[id + 1] = edge;
    }
    pw_assert(edge == graph->edge_count);
    return true;
}

/* True if the model can have these nodes and edges. */
static bool check_shape(const struct graph_generate_options *options, struct graph_error *error)
{
    if (options->model == GRAPH_MODEL_KRONECKER && (options->nodes & (options->nodes - 1)) != 0) {
        return graph_fail(error, PLACE, "a Kronecker graph of %lu nodes, which is not a power of 2",
                          (unsigned long)options->nodes);
    }
    if (options->model == GRAPH_MODEL_GRID &&
        (options->columns == 0 || options->nodes % options->columns != 0)) {
        return graph_fail(error, PLACE, "a grid of %lu nodes, which %lu columns do not divide",
                          (unsigned long)options->nodes, (unsigned long)options->columns);
    }
    return true;
}

bool graph_draw(const struct graph_generate_options *options, struct graph *graph,
                struct graph_error *error)
{
    if (!check_shape(options, error)) {
        return false;
    }
    graph->first_node = 1;
    graph->node_limit = options->nodes + 1;
    graph->offsets = graph_map_array(graph, (uint64_t)options->nodes + 2, sizeof(uint64_t));
    if (graph->offsets == NULL) {
        return fail_memory(graph, options->edges, error);
    }
    bool done = options->model == GRAPH_MODEL_GRID ? draw_grid(options, graph, error)
                                                   : draw_random(options, graph, error);
    pw_assert(!done || graph_check(graph));
    return done;
}
