/*
 * graph_reverse.c - the reverse adjacency: for each node the nodes whose rows hold it.
 *
 * 1. Each thread takes rows with as many edges, and drops the edges, turned round, into buckets.
 * 2. The buckets become rows (edge_buckets.c), every one ascending, repeats kept.
 * Cost: see graph_add_reverse.
 */
#include "graph_reverse.h"

#include "graph.h"
#include "graph_error.h"
#include "graph_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* One thread's share of the edges to turn round: the rows from begin to before end. */
struct turn {
    const struct graph *graph;
    uint32_t begin, end;
    struct edge_writer *writer;
    struct edge_segment *segment;
    bool done;
};

static void *turn_rows(void *argument)
{
    struct turn *turn = argument;
    const struct graph *graph = turn->graph;
    struct edge_layout layout = turn->writer->layout;
    for (uint32_t u = turn->begin; u < turn->end; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            edge_writer_put(turn->writer, layout, graph->neighbours[i], u);
        }
    }
    turn->done = edge_writer_close_segment(turn->writer, turn->segment);
    return NULL;
}

/* The first row that begins at an edge or later. */
static uint32_t row_at_edge(const struct graph *graph, uint64_t edge)
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

/* Drop all edges, turned round, into the writers; each thread takes as many. */
static bool turn_all(const struct graph *graph, unsigned threads, struct edge_writer *writers,
                     struct edge_segment *segments)
{
    struct turn *turns = calloc(threads, sizeof(*turns));
    pthread_t *ids = calloc(threads, sizeof(*ids));
    bool done = turns != NULL && ids != NULL;
    unsigned started = 0;
    for (unsigned i = 0; done && i < threads; i++) {
        segments[i].writer = i;
        turns[i] = (struct turn){graph, 0, graph->node_limit, &writers[i], &segments[i], false};
        if (i > 0) {
            turns[i].begin = row_at_edge(graph, graph->edge_count / threads * i);
            turns[i - 1].end = turns[i].begin;
        }
    }
    for (unsigned i = 1; done && i < threads; i++) {
        if (pthread_create(&ids[i], NULL, turn_rows, &turns[i]) != 0) {
            break;
        }
        started = i;
    }
    if (done) {
        turn_rows(&turns[0]);
    }
    for (unsigned i = 1; done && i < threads; i++) {
        if (i <= started) {
            pthread_join(ids[i], NULL);
        } else {
            turn_rows(&turns[i]); /* no thread for it: after the others */
        }
    }
    for (unsigned i = 0; done && i < threads; i++) {
        done = turns[i].done;
    }
    free(turns);
    free(ids);
    return done;
}

/* Zeroed memory that graph_free gives back the way it does the graph's other arrays. */
static void *take_array(struct graph *graph, uint64_t count, size_t size)
{
    return graph->storage != NULL ? graph_storage_map(graph, count, size)
                                  : calloc(count ? count : 1, size);
}

/* The rows of the reverse from the writers' edges. */
static bool build_reverse(struct graph *graph, unsigned threads, struct edge_writer *writers,
                          const struct edge_segment *segments)
{
    uint64_t limit = graph->node_limit;
    uint64_t *offsets = take_array(graph, limit + 1, sizeof(*offsets));
    uint32_t *neighbours = take_array(graph, graph->edge_count, sizeof(*neighbours));
    struct edge_rows rows = {graph->edge_count, limit, offsets, neighbours};
    if (offsets == NULL || neighbours == NULL ||
        !edge_writers_build(writers, threads, segments, threads, NULL, &rows)) {
        if (graph->storage == NULL) {
            free(offsets);
            free(neighbours);
        }
        return false;
    }
    graph->in_offsets = offsets;
    graph->in_neighbours = neighbours;
    return true;
}

bool graph_reverse_build(struct graph *graph, struct edge_writer *writers, unsigned threads,
                         struct graph_error *error)
{
    uint64_t limit = graph->node_limit;
    struct edge_layout layout = edge_layout_for(limit, limit);
    struct edge_segment *segments = calloc(threads, sizeof(*segments));
    bool done = segments != NULL;
    for (unsigned i = 0; done && i < threads; i++) {
        done = edge_writer_init(&writers[i], layout, (size_t)(limit >> layout.shift) + 1);
    }
    done = done && turn_all(graph, threads, writers, segments) &&
           build_reverse(graph, threads, writers, segments);
    for (unsigned i = 0; segments != NULL && i < threads; i++) {
        free(segments[i].counts);
    }
    free(segments);
    return done || graph_fail(error, "graph", "out of memory for the reverse adjacency");
}

bool graph_add_reverse(struct graph *graph, struct graph_error *error)
{
    return graph_add_reverse_with(graph, 0, error);
}

bool graph_add_reverse_with(struct graph *graph, unsigned threads, struct graph_error *error)
{
    if (graph->in_offsets != NULL) {
        return true;
    }
    *error = (struct graph_error){0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads ? threads : (unsigned)(processors > 0 ? processors : 1);
    threads = graph->edge_count < 4096 ? 1 : threads;
    struct edge_writer *writers = calloc(threads, sizeof(*writers));
    if (writers == NULL) {
        return graph_fail(error, "graph", "out of memory for the reverse adjacency");
    }
    bool done = graph_reverse_build(graph, writers, threads, error);
    for (unsigned i = 0; i < threads; i++) {
        edge_writer_free(&writers[i]);
    }
    free(writers);
    return done;
}
