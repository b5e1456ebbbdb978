/*
 * graph_reach.c - a breadth-first search whose queue is its result.
 */
#include "graph_reach.h"
#include "base/pw_assert.h"

size_t graph_reach(const struct graph *graph, uint32_t start, bool *seen, uint32_t *nodes,
                   size_t filled)
{
    pw_assert(!seen[start]);
    size_t taken = filled;
    seen[start] = true;
    nodes[filled++] = start;
    while (taken < filled) {
        uint32_t node = nodes[taken++];
        for (uint64_t i = graph->offsets[node]; i < graph->offsets[node + 1]; i++) {
            uint32_t neighbour = graph->neighbours[i];
            if (!seen[neighbour]) {
                seen[neighbour] = true;
                nodes[filled++] = neighbour;
            }
        }
    }
    pw_assert(filled <= graph_node_count(graph));
    return filled;
}
