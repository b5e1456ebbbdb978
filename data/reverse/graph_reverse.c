/*
 * graph_reverse.c - the reverse adjacency: for each node, the nodes with an edge to it.
 *
 * 1. The nodes are cut into one segment per thread, with about as many edges each. A thread takes a
 *    segment and drops its edges, reversed, into buckets.
 * 2. The buckets become adjacency lists (edge_buckets.c), each ascending, repeats kept.
 * Cost: see graph_reverse.h.
 */
#include "graph_reverse.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/edge_lists.h"
#include "data/graph/parallel.h"
#include <stdlib.h>

#define CHECK_EACH 4096 /* nodes between two looks at the flag */

struct reversal {
    const struct graph *graph;
    struct edge_writer *writers; /* one per thread */
    struct edge_segment *segments;
    unsigned count; /* of threads and of segments */
    const volatile sig_atomic_t *cancel;
    atomic_bool failed;
};

/* The first node whose list starts at an edge or later. */
static uint32_t node_at_edge(const struct graph *graph, uint64_t edge)
{
    uint32_t low = 0, high = graph->node_limit;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->offsets[middle] < edge) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void reverse_segment(void *context, unsigned number, size_t index)
{
    struct reversal *reversal = context;
    const struct graph *graph = reversal->graph;
    struct edge_writer *writer = &reversal->writers[number];
    struct edge_layout layout = writer->layout;
    uint64_t share = graph->edge_count / reversal->count;
    bool is_last = index + 1 == reversal->count;
    uint32_t u = index == 0 ? 0 : node_at_edge(graph, share * index);
    uint32_t limit = is_last ? graph->node_limit : node_at_edge(graph, share * (index + 1));
    for (; u < limit && !(u % CHECK_EACH == 0 && cancel_is_set(reversal->cancel)); u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            edge_writer_put(writer, layout, graph->neighbours[i], u);
        }
    }
    reversal->segments[index].writer = number;
    if (!edge_writer_close_segment(writer, &reversal->segments[index])) {
        atomic_store(&reversal->failed, true);
    }
}

/* Zeroed memory that graph_free gives back as it does the graph's other arrays. */
static void *take_array(struct graph *graph, uint64_t count, size_t size)
{
    return graph->storage != NULL ? graph_map_array(graph, count, size)
                                  : calloc(count > 0 ? (size_t)count : 1, size);
}

/* Make the adjacency lists from the writers' edges. */
static bool build_lists(struct graph *graph, const struct reversal *reversal)
{
    uint64_t limit = graph->node_limit;
    uint64_t *offsets = take_array(graph, limit + 1, sizeof(*offsets));
    uint32_t *neighbours = take_array(graph, graph->edge_count, sizeof(*neighbours));
    struct edge_rows rows = {graph->edge_count,      limit,           offsets, neighbours,
                             graph->storage != NULL, reversal->cancel};
    if (offsets == NULL || neighbours == NULL ||
        !edge_writers_build(reversal->writers, reversal->count, reversal->segments, reversal->count,
                            NULL, &rows)) {
        if (graph->storage == NULL) {
            free(offsets);
            free(neighbours);
        }
        return false;
    }
    graph->in_offsets = offsets;
    graph->in_neighbours = neighbours;
    pw_assert(graph_check(graph));
    return true;
}

static bool fail(const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    return graph_fail(error, "graph",
                      cancel_is_set(cancel) ? "interrupted"
                                            : "out of memory for the reverse adjacency");
}

bool graph_reverse_build(struct graph *graph, struct edge_writer *writers, unsigned threads,
                         const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    uint64_t limit = graph->node_limit;
    struct edge_layout layout = edge_layout_for(limit, limit);
    struct reversal reversal = {
        .graph = graph, .writers = writers, .count = threads, .cancel = cancel};
    reversal.segments = calloc(threads, sizeof(*reversal.segments));
    bool done = reversal.segments != NULL;
    for (unsigned i = 0; done && i < threads; i++) {
        done = edge_writer_init(&writers[i], layout, (size_t)(limit >> layout.shift) + 1,
                                graph->edge_count / threads);
    }
    if (done) {
        parallel_each(threads, threads, reverse_segment, &reversal);
        done = !atomic_load(&reversal.failed) && !cancel_is_set(cancel) &&
               build_lists(graph, &reversal);
    }
    for (unsigned i = 0; reversal.segments != NULL && i < threads; i++) {
        free(reversal.segments[i].counts);
    }
    free(reversal.segments);
    return done || fail(cancel, error);
}

bool graph_add_reverse(struct graph *graph, unsigned threads, const volatile sig_atomic_t *cancel,
                       struct graph_error *error)
{
    if (graph->in_offsets != NULL) {
        return true;
    }
    *error = (struct graph_error){0};
    threads = graph->edge_count < 4096 ? 1 : parallel_count(threads);
    struct edge_writer *writers = calloc(threads, sizeof(*writers));
    if (writers == NULL) {
        return fail(NULL, error);
    }
    bool done = graph_reverse_build(graph, writers, threads, cancel, error);
    for (unsigned i = 0; i < threads; i++) {
        edge_writer_free(&writers[i]);
    }
    free(writers);
    return done;
}
