/*
 * fuzz_round_trip.c - a graph that is written in each format and read again is the same graph.
 *
 * The last byte of an input holds the options, as in fuzz_graph_text.c; before it is an edge list.
 */
#include "data/formats/graph_write.h"
#include "data/graph/graph.h"
#include "data/graph/graph_reverse.h"
#include "fuzz.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EDGES_MAX 2500 /* whose text fits a pipe */

static struct fuzz_file file;

void fuzz_setup(void)
{
    fuzz_file_create(&file);
}

/* What node u of the graph is in the graph that was read again. */
static void require_same_lists(const struct graph *graph, const struct graph *again, uint32_t shift)
{
    fuzz_require(again->edge_count == graph->edge_count);
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        uint64_t degree = graph_out_degree(graph, u);
        if (u + shift >= again->node_limit) { /* an edge list does not tell of its last nodes */
            fuzz_require(degree == 0);
            continue;
        }
        fuzz_require(graph_out_degree(again, u + shift) == degree);
        for (uint64_t i = 0; i < degree; i++) {
            fuzz_require(again->neighbours[again->offsets[u + shift] + i] ==
                         graph->neighbours[graph->offsets[u] + i] + shift);
        }
    }
}

static void write_and_read(const struct graph *graph, enum graph_output format, bool by_target)
{
    struct graph_write_options options = {
        .format = format, .by_target = by_target, .comment = "made\tby a fuzzer"};
    struct graph_options reading = {.threads = 1, .memory_limit = (uint64_t)4 << 20};
    struct graph_error error = {0};
    struct graph again;
    char path[40];
    int ends[2];
    fuzz_require(pipe(ends) == 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
    fuzz_require_for(graph_write(graph, &options, path, &error), error.message);
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    reading.format = format == GRAPH_OUTPUT_EDGES ? "edges" : "matrix-market";
    bool loaded = graph_load(path, &reading, &again, &error);
    if (graph->edge_count > 0 || format == GRAPH_OUTPUT_MATRIX_MARKET) {
        fuzz_require_for(loaded, error.message);
    }
    if (loaded) {
        bool shifted = format == GRAPH_OUTPUT_MATRIX_MARKET && graph->first_node == 0;
        require_same_lists(graph, &again, shifted);
    }
    graph_free(&again);
    close(ends[0]);
}

/* Each list in ascending order, as writing by target gives it. */
static bool is_sorted(const struct graph *graph)
{
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        for (uint64_t i = graph->offsets[u]; i + 1 < graph->offsets[u + 1]; i++) {
            if (graph->neighbours[i] > graph->neighbours[i + 1]) {
                return false;
            }
        }
    }
    return true;
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input text = {bytes, bytes + length};
    unsigned bits = fuzz_take_last(&text) ^ (length > 0 ? '\n' : 0u);
    struct graph_options options = {.threads = 1,
                                    .memory_limit = (uint64_t)3 << 20,
                                    .reverse = bits & 1,
                                    .undirected = bits & 2,
                                    .build_reverse = bits & 4};
    struct graph_error error = {0};
    struct graph graph;
    fuzz_file_fill(&file, text.next, fuzz_left(&text));
    if (graph_load(file.path, &options, &graph, &error) && graph.edge_count <= EDGES_MAX &&
        graph.original_ids == NULL && graph.names == NULL) {
        bool sorted = is_sorted(&graph);
        write_and_read(&graph, GRAPH_OUTPUT_EDGES, false);
        write_and_read(&graph, GRAPH_OUTPUT_MATRIX_MARKET, false);
        if (sorted) {
            write_and_read(&graph, GRAPH_OUTPUT_EDGES, true);
            write_and_read(&graph, GRAPH_OUTPUT_MATRIX_MARKET, true);
        }
    }
    graph_free(&graph);
}
