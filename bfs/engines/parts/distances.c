/*
 * distances.c - a plain search, and the check of a path.
 */
#include "distances.h"
#include "base/pw_assert.h"
#include "bfs/search/search_limits.h"
#include "data/graph/graph_blocks.h"
#include "large_block.h"
#include <string.h>

#define AVOIDED         (SEARCH_HOPS_NONE - 1) /* a distance while a walk avoids the node */
#define NODES_PER_CHECK 1024                   /* between two looks at the clock and the flag */

bool distances_open(struct distances *distances, const struct graph *graph)
{
    size_t bytes = ((size_t)graph->node_limit + 1) * sizeof(uint32_t);
    *distances = (struct distances){.graph = graph};
    distances->hops = large_block_create(bytes);
    distances->order = large_block_create(bytes);
    if (distances->hops == NULL || distances->order == NULL) {
        distances_close(distances);
        return false;
    }
    return true;
}

void distances_close(struct distances *distances)
{
    large_block_free(distances->hops);
    large_block_free(distances->order);
    *distances = (struct distances){0};
}

/* Spread from the source. */
static void spread(struct distances *distances, const struct search_clock *clock,
                   struct search_result *result)
{
    const struct graph *graph = distances->graph;
    const uint64_t *offsets = graph->offsets;
    const uint32_t *neighbours = graph->neighbours;
    const uint32_t source = distances->source;
    uint32_t *hops = distances->hops;
    size_t allowed = 0; /* nodes whose lists may be read */
    for (size_t i = 0; i < distances->reached; i++) {
        const uint32_t node = distances->order[i];
        if (i == allowed) {
            const size_t left = distances->reached - i;
            const size_t count = left < NODES_PER_CHECK ? left : NODES_PER_CHECK;
            result->status = search_stop_reason(clock);
            if (result->status == SEARCH_DONE &&
                !graph_allows_lists(graph, distances->order + i, count)) {
                result->status = SEARCH_DAMAGED;
            }
            if (result->status != SEARCH_DONE) {
                return;
            }
            allowed += count;
        }
        for (uint64_t j = offsets[node]; j < offsets[node + 1]; j++) {
            const uint32_t next = neighbours[j];
            if (next == source && distances->around_hops == SEARCH_HOPS_NONE) {
                distances->around_hops = hops[node] + 1;
            }
            if (hops[next] == SEARCH_HOPS_NONE) {
                pw_assert(distances->reached < graph->node_limit);
                hops[next] = hops[node] + 1;
                distances->order[distances->reached++] = next;
            }
        }
        result->edges += offsets[node + 1] - offsets[node];
        result->expanded++;
    }
}

void distances_find_more(struct distances *distances, uint32_t source,
                         const struct distances_walk *walk, struct search_result *result)
{
    const size_t bytes = (size_t)distances->graph->node_limit * sizeof(uint32_t);
    uint32_t *hops = distances->hops;
    struct search_clock clock;
    search_start(&clock, walk->limits, result);
    memset(hops, 0xff, bytes);
    for (size_t i = 0; i < walk->avoided_count; i++) {
        hops[walk->avoided[i]] = AVOIDED;
    }
    distances->source = source;
    distances->around_hops = SEARCH_HOPS_NONE;
    distances->reached = 0;
    result->status = search_stop_reason(&clock);
    if (hops[source] != AVOIDED) {
        distances->order[distances->reached++] = source;
        hops[source] = 0;
        spread(distances, &clock, result);
    }
    for (size_t i = 0; i < walk->avoided_count; i++) {
        hops[walk->avoided[i]] = SEARCH_HOPS_NONE;
    }
    if (graph_is_damaged(distances->graph, NULL)) { /* also if another search has met it */
        result->status = SEARCH_DAMAGED;
    }
    result->visited = result->expanded;
    result->pushed = distances->reached;
    search_finish(&clock, result);
}

void distances_find(struct distances *distances, uint32_t source)
{
    const struct distances_walk plain = {.limits = NULL};
    struct search_result result;
    distances_find_more(distances, source, &plain, &result);
}

bool path_is_valid(const struct graph *graph, uint32_t source, uint32_t target, uint32_t hops,
                   const uint32_t *nodes)
{
    bool valid = hops > 0 && nodes[0] == source && nodes[hops] == target &&
                 graph_allows_lists(graph, nodes, hops);
    for (uint32_t i = 0; valid && i < hops; i++) {
        uint64_t edge = graph->offsets[nodes[i]];
        const uint64_t end = graph->offsets[nodes[i] + 1];
        while (edge < end && graph->neighbours[edge] != nodes[i + 1]) {
            edge++;
        }
        valid = edge < end;
    }
    return valid;
}
