/*
 * random_node.c - draws until a node has out-edges; after many draws, counts such nodes.
 */
#include "random_node.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "random_stream.h"

#define DRAWS_MAX 1000

/* The node with out-edges that has that many others before it. */
static uint32_t nth_with_edges(const struct graph *graph, uint64_t number)
{
    for (uint32_t node = graph->first_node;; node++) {
        pw_assert(node < graph->node_limit);
        if (graph_out_degree(graph, node) > 0 && number-- == 0) {
            return node;
        }
    }
}

bool random_node_with_edges(const struct graph *graph, uint64_t *state, uint32_t *node)
{
    if (graph->edge_count == 0) {
        return false;
    }
    for (int i = 0; i < DRAWS_MAX; i++) {
        *node = graph->first_node +
                (uint32_t)random_below(splitmix_next(state), graph_node_count(graph));
        if (!graph_allows_ends(graph, graph->offsets, *node)) {
            return false;
        }
        if (graph_out_degree(graph, *node) > 0) {
            return true;
        }
    }
    if (!graph_allows_all(graph)) {
        return false;
    }
    uint64_t count = 0;
    for (uint32_t any = graph->first_node; any < graph->node_limit; any++) {
        count += graph_out_degree(graph, any) > 0;
    }
    pw_assert(count > 0);
    *node = nth_with_edges(graph, random_below(splitmix_next(state), count));
    return true;
}
