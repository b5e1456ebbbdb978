/*
 * distances.c - a plain search, and the results that follow from its distances.
 *
 * Shortest paths: the predecessors of v on shortest paths are its in-neighbours one step nearer to
 * the source. Repeats are adjacent, because in-neighbours are in ascending order, and are skipped.
 * Going back from the target level by level finds the nodes on such paths. Then, from the source
 * outwards, the number of ways to a node is the sum over its predecessors.
 */
#include "distances.h"
#include "base/pw_assert.h"
#include "bfs/search/search_limits.h"
#include "large_block.h"
#include <stdlib.h>
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

/* Spread from the source over the adjacency that the walk follows. */
static void spread(struct distances *distances, const struct distances_walk *walk,
                   const struct search_clock *clock, struct search_result *result)
{
    const struct graph *graph = distances->graph;
    const uint64_t *offsets = walk->is_backwards ? graph->in_offsets : graph->offsets;
    const uint32_t *neighbours = walk->is_backwards ? graph->in_neighbours : graph->neighbours;
    const uint32_t source = distances->source;
    uint32_t *hops = distances->hops;
    for (size_t i = 0; i < distances->reached && result->status == SEARCH_DONE; i++) {
        const uint32_t node = distances->order[i];
        for (uint64_t j = offsets[node]; j < offsets[node + 1]; j++) {
            const uint32_t next = neighbours[j];
            if (next == source && distances->around_hops == SEARCH_HOPS_NONE) {
                distances->around_hops = hops[node] + 1;
            }
            if (hops[next] == SEARCH_HOPS_NONE) {
                pw_assert(distances->reached < graph->node_limit);
                hops[next] = hops[node] + 1;
                distances->order[distances->reached++] = next;
                if (walk->parents != NULL) {
                    walk->parents[next] = node;
                }
            }
        }
        result->edges += offsets[node + 1] - offsets[node];
        if (++result->expanded % NODES_PER_CHECK == 0) {
            result->status = search_must_stop(clock);
        }
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
    if (walk->parents != NULL) {
        memset(walk->parents, 0xff, bytes);
    }
    for (size_t i = 0; i < walk->avoided_count; i++) {
        hops[walk->avoided[i]] = AVOIDED;
    }
    distances->source = source;
    distances->around_hops = SEARCH_HOPS_NONE;
    distances->reached = 0;
    result->status = search_must_stop(&clock);
    if (hops[source] != AVOIDED) {
        distances->order[distances->reached++] = source;
        hops[source] = 0;
        spread(distances, walk, &clock, result);
    }
    for (size_t i = 0; i < walk->avoided_count; i++) {
        hops[walk->avoided[i]] = SEARCH_HOPS_NONE;
    }
    result->visited = result->expanded;
    result->pushed = distances->reached;
    search_finish(&clock, result);
}

void distances_find(struct distances *distances, uint32_t source)
{
    const struct distances_walk plain = {.is_backwards = false};
    struct search_result result;
    distances_find_more(distances, source, &plain, &result);
}

size_t distances_level_end(const struct distances *distances, size_t begin)
{
    pw_assert(begin < distances->reached);
    const uint32_t hops = distances->hops[distances->order[begin]];
    size_t end = begin;
    while (end < distances->reached && distances->hops[distances->order[end]] == hops) {
        end++;
    }
    return end;
}

bool path_is_valid(const struct graph *graph, uint32_t source, uint32_t target, uint32_t hops,
                   const uint32_t *nodes)
{
    bool valid = hops > 0 && nodes[0] == source && nodes[hops] == target;
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

/* The next in-neighbour of a node, without repeats, at that distance; false at the end. */
static bool next_before(const struct distances *distances, uint32_t node, uint32_t hops,
                        uint64_t *at, uint32_t *before)
{
    const struct graph *graph = distances->graph;
    pw_assert(*at >= graph->in_offsets[node] && *at <= graph->in_offsets[node + 1]);
    while (*at < graph->in_offsets[node + 1]) {
        const uint64_t here = (*at)++;
        const uint32_t next = graph->in_neighbours[here];
        bool repeated = here > graph->in_offsets[node] && graph->in_neighbours[here - 1] == next;
        if (!repeated && distances->hops[next] == hops) {
            *before = next;
            return true;
        }
    }
    return false;
}

/* Enumerate paths backwards from the target, depth first. places: one entry per hop. */
static void emit_paths(const struct distances *distances, uint32_t target, uint32_t hops,
                       uint64_t limit, shortest_path_emit *emit, void *context, uint64_t *places,
                       uint32_t *nodes)
{
    const struct graph *graph = distances->graph;
    uint32_t level = hops; /* nodes[level] is chosen; look for the one before it */
    uint64_t emitted = 0;
    nodes[hops] = target;
    places[hops] = graph->in_offsets[target];
    while (emitted < limit) {
        if (level == 0) {
            emit(context, nodes, hops);
            emitted++;
            level++;
        } else if (next_before(distances, nodes[level], level - 1, &places[level],
                               &nodes[level - 1])) {
            level--;
            places[level] = graph->in_offsets[nodes[level]];
        } else if (level++ == hops) {
            break;
        }
    }
}

/* The number of ways to a node: the sum over its predecessors. */
static uint64_t ways_to(const struct distances *distances, const uint64_t *ways, uint32_t node,
                        uint32_t hops)
{
    uint64_t at = distances->graph->in_offsets[node];
    uint64_t sum = 0;
    uint32_t before;
    while (next_before(distances, node, hops - 1, &at, &before)) {
        sum = sum > UINT64_MAX - ways[before] ? UINT64_MAX : sum + ways[before];
    }
    return sum;
}

/*
 * Write the target, then the nodes on shortest paths to it, furthest first, to list; returns how
 * many. on_path: zero for every node; all but the target get a 1.
 */
static size_t nodes_on_paths(const struct distances *distances, uint32_t target, uint32_t hops,
                             uint32_t *list, uint64_t *on_path)
{
    size_t count = 0;
    size_t begin = 0;
    list[count++] = target;
    for (uint32_t level = hops; level > 0; level--) {
        const size_t end = count;
        for (; begin < end; begin++) {
            uint64_t at = distances->graph->in_offsets[list[begin]];
            uint32_t before;
            while (next_before(distances, list[begin], level - 1, &at, &before)) {
                if (on_path[before] == 0) {
                    on_path[before] = 1;
                    list[count++] = before;
                }
            }
        }
    }
    pw_assert(count > 0 && count <= distances->reached + 1);
    return count;
}

bool shortest_paths(const struct distances *distances, uint32_t target, uint64_t limit,
                    shortest_path_emit *emit, void *context, uint64_t *count)
{
    const size_t limit_nodes = (size_t)distances->graph->node_limit + 1;
    const uint32_t hops = distances_to(distances, target);
    *count = 0;
    if (hops == SEARCH_HOPS_NONE) {
        return true;
    }
    uint64_t *ways = large_block_create(limit_nodes * sizeof(*ways));
    uint32_t *list = large_block_create(limit_nodes * sizeof(*list));
    uint64_t *places = malloc(((size_t)hops + 1) * sizeof(*places));
    uint32_t *nodes = malloc(((size_t)hops + 1) * sizeof(*nodes));
    bool done = ways != NULL && list != NULL && places != NULL && nodes != NULL;
    size_t last = done ? nodes_on_paths(distances, target, hops, list, ways) - 1 : 0;
    /* The last is the source, to which one way leads. A wrong reverse adjacency leads elsewhere. */
    if (last > 0 && list[last] == distances->source) {
        for (size_t i = last - 1; i > 0; i--) {
            ways[list[i]] = ways_to(distances, ways, list[i], distances->hops[list[i]]);
        }
        *count = ways_to(distances, ways, target, hops);
        if (emit != NULL) {
            emit_paths(distances, target, hops, limit, emit, context, places, nodes);
        }
    }
    large_block_free(ways);
    large_block_free(list);
    free(places);
    free(nodes);
    return done;
}
