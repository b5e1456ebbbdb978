/*
 * graph_reverse.c - the reverse adjacency: for each node the nodes whose rows hold it.
 *
 * 1. Count how often each node occurs in the rows; the running sum gives the rows of the reverse.
 * 2. Go through the rows in order and put each source into its neighbours' rows, so that every row
 *    comes out ascending, repeats kept.
 * Cost: two passes over the edges, each a scattered write an edge.
 */
#include "graph.h"
#include "graph_error.h"
#include <stdlib.h>

bool graph_add_reverse(struct graph *graph, struct graph_error *error)
{
    if (graph->in_offsets != NULL) {
        return true;
    }
    size_t limit = graph->node_limit;
    uint64_t *offsets = calloc(limit + 2, sizeof(*offsets));
    uint32_t *sources = NULL;
    if (graph->edge_count < SIZE_MAX / sizeof(*sources)) {
        sources = malloc((size_t)(graph->edge_count + 1) * sizeof(*sources));
    }
    if (offsets == NULL || sources == NULL) {
        free(offsets);
        free(sources);
        error->message[0] = '\0';
        return graph_fail(error, "reverse", "out of memory for %llu edges",
                          (unsigned long long)graph->edge_count);
    }
    /* offsets[v + 2] counts row v; then offsets[v + 1] is its begin and, once filled, its end. */
    for (uint64_t i = 0; i < graph->edge_count; i++) {
        offsets[graph->neighbours[i] + 2]++;
    }
    for (size_t v = 2; v <= limit + 1; v++) {
        offsets[v] += offsets[v - 1];
    }
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            sources[offsets[graph->neighbours[i] + 1]++] = u;
        }
    }
    graph->in_offsets = offsets;
    graph->in_neighbours = sources;
    return true;
}
