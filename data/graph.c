/*
 * graph.c - what a graph can do once it is there: its labels, its reverse, its end.
 */
#include "graph.h"

#include "edge_buckets.h"
#include "graph_error.h"
#include "graph_memory.h"
#include "graph_names.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void graph_free(struct graph *graph)
{
    struct graph_storage *storage = graph->storage;
    if (!storage || storage->rows_from_malloc) {
        free(graph->offsets);
        free(graph->neighbours);
    }
    for (size_t i = 0; storage && i < storage->mapping_count; i++) {
        memory_unmap(storage->mappings[i].base, storage->mappings[i].length);
    }
    free(storage);
    graph_names_free(graph->names);
    memset(graph, 0, sizeof *graph);
}

const char *graph_label(const struct graph *graph, uint32_t node, char text[GRAPH_LABEL_SIZE])
{
    uint32_t id = graph_original_id(graph, node);
    const struct graph_names *names = graph->names;
    if (names && id >= names->first_id && id - names->first_id < names->count &&
        names->begins[id - names->first_id + 1] - names->begins[id - names->first_id] > 1) {
        return names->text + names->begins[id - names->first_id];
    }
    snprintf(text, GRAPH_LABEL_SIZE, "%lu", (unsigned long)id);
    return text;
}

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
    for (uint32_t u = turn->begin; u < turn->end; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            edge_writer_add(turn->writer, graph->neighbours[i], u);
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
    struct turn *turns = calloc(threads, sizeof *turns);
    pthread_t *ids = calloc(threads, sizeof *ids);
    bool done = turns && ids;
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

bool graph_build_reverse(struct graph *graph, unsigned threads, struct graph_error *error)
{
    if (graph->reverse_offsets) {
        return true;
    }
    error->message[0] = '\0';
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads ? threads : (unsigned)(processors > 0 ? processors : 1);
    threads = graph->edge_count < 4096 ? 1 : threads;
    uint64_t limit = graph->node_limit;
    struct edge_layout layout = edge_layout_for(limit, limit);
    struct edge_writer *writers = calloc(threads, sizeof *writers);
    struct edge_segment *segments = calloc(threads, sizeof *segments);
    bool done = writers && segments;
    for (unsigned i = 0; done && i < threads; i++) {
        done = edge_writer_init(&writers[i], layout, (size_t)(limit >> layout.shift) + 1);
    }
    done = done && turn_all(graph, threads, writers, segments);
    if (done) {
        uint64_t *offsets = graph_storage_map(graph, limit + 1, sizeof *offsets);
        uint32_t *neighbours = graph_storage_map(graph, graph->edge_count, sizeof *neighbours);
        struct edge_rows rows = {graph->edge_count, limit, offsets, neighbours};
        done = offsets && neighbours &&
               edge_writers_build(writers, threads, segments, threads, NULL, &rows);
        graph->reverse_offsets = done ? offsets : NULL;
        graph->reverse_neighbours = done ? neighbours : NULL;
    }
    for (unsigned i = 0; i < threads; i++) {
        if (writers) {
            edge_writer_free(&writers[i]);
        }
        if (segments) {
            free(segments[i].counts);
        }
    }
    free(writers);
    free(segments);
    return done || graph_fail(error, "graph", "out of memory for the reverse adjacency");
}
