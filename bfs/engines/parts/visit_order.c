/*
 * visit_order.c - the levels of a visit order, and the path read backwards from it.
 */
#include "visit_order.h"
#include "base/array_reserve.h"
#include "base/macros.h"
#include "data/graph/graph_blocks.h"
#include "large_block.h"
#include "marks.h"
#include <stdlib.h>

#define FILTER_BITS (1u << 17) /* of a set of nodes by their lowest bits, in 16 KiB of stack */

/* Room for the starts of that many levels, and for one entry that says where the last one ends. */
static bool reserve_levels(struct visit_order *order, size_t count)
{
    return array_reserve(&order->level_starts, &order->level_capacity, count + 1,
                         sizeof(*order->level_starts));
}

bool visit_order_open(struct visit_order *order, const struct graph *graph)
{
    *order = (struct visit_order){.limit = (size_t)graph->node_limit + VISIT_ORDER_SLACK};
    order->nodes = large_block_create(order->limit * sizeof(*order->nodes));
    if (order->nodes == NULL || !reserve_levels(order, 1)) {
        visit_order_close(order);
        return false;
    }
    visit_order_clear(order);
    return true;
}

void visit_order_close(struct visit_order *order)
{
    large_block_free(order->nodes);
    free(order->level_starts);
    *order = (struct visit_order){0};
}

void visit_order_clear(struct visit_order *order)
{
    order->count = 0;
    order->level_starts[0] = 0;
    order->level_count = 1;
    order->last_end = SIZE_MAX;
}

bool visit_order_start_level(struct visit_order *order, size_t start)
{
    pw_assert(start <= order->count && start >= order->level_starts[order->level_count - 1]);
    if (!reserve_levels(order, order->level_count + 1)) {
        return false;
    }
    order->level_starts[order->level_count++] = start;
    order->last_end = start < order->count ? order->count : SIZE_MAX;
    return true;
}

/* False also for a list in a bad block: graph_is_damaged then says so. */
static bool has_neighbour(const struct graph *graph, uint32_t node, uint32_t wanted)
{
    if (!graph_allows_list(graph, node)) {
        return false;
    }
    const uint32_t *end = graph->neighbours + graph->offsets[node + 1];
    for (const uint32_t *next = graph->neighbours + graph->offsets[node]; next < end; next++) {
        if (*next == wanted) {
            return true;
        }
    }
    return false;
}

/* True if the lists of these nodes have at most that many entries together. Looks at few more. */
static bool has_at_most(const struct graph *graph, const uint32_t *nodes, size_t count,
                        uint64_t entries)
{
    uint64_t found = 0;
    for (size_t i = 0; i < count && found <= entries; i++) {
        found += graph_allows_ends(graph, graph->offsets, nodes[i])
                     ? graph_out_degree(graph, nodes[i])
                     : 0;
    }
    return found <= entries;
}

/*
 * The smallest of some nodes that has wanted among its neighbours, or GRAPH_NODE_NONE. If wanted
 * has fewer in-neighbours than these nodes have neighbours, the in-neighbours rule out all nodes
 * but few, before a list is looked at.
 */
static uint32_t node_before(const struct graph *graph, const uint32_t *nodes, size_t count,
                            uint32_t wanted)
{
    const struct graph backwards = graph_backwards(graph);
    uint64_t filter[FILTER_BITS / 64];
    uint32_t before = GRAPH_NODE_NONE;
    const bool filters = graph->in_offsets != NULL && graph_allows_list(&backwards, wanted) &&
                         !has_at_most(graph, nodes, count, graph_out_degree(&backwards, wanted));
    if (filters) {
        memset(filter, 0, sizeof(filter));
        for (uint64_t i = graph->in_offsets[wanted]; i < graph->in_offsets[wanted + 1]; i++) {
            marks_set(filter, graph->in_neighbours[i] % FILTER_BITS);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (nodes[i] < before && (!filters || marks_test(filter, nodes[i] % FILTER_BITS)) &&
            has_neighbour(graph, nodes[i], wanted)) {
            before = nodes[i];
        }
    }
    return before;
}

/* The place after the last node of a level. The next level may follow the one started last. */
static size_t level_end(const struct visit_order *order, size_t level)
{
    if (level == 0) {
        return 1; /* the source */
    }
    if (level + 1 < order->level_count) {
        return order->level_starts[level + 1];
    }
    return order->last_end < order->count ? order->last_end : order->count;
}

bool visit_order_path(const struct visit_order *order, const struct graph *graph, uint32_t target,
                      uint32_t hops, uint32_t *nodes, size_t capacity)
{
    if (hops > order->level_count || hops >= capacity) {
        return false;
    }
    nodes[hops] = target;
    for (uint32_t level = hops; level-- > 0;) {
        const size_t start = order->level_starts[level];
        nodes[level] = node_before(graph, order->nodes + start, level_end(order, level) - start,
                                   nodes[level + 1]);
        if (nodes[level] == GRAPH_NODE_NONE) {
            return false;
        }
    }
    pw_assert(hops == 0 || nodes[0] == order->nodes[0]);
    return true;
}

bool visit_order_check(const struct visit_order *order, const struct graph *graph)
{
    bool sound = order->count <= order->limit && order->level_count <= order->level_capacity &&
                 order->level_count > 0 && order->level_starts[0] == 0 &&
                 order->level_starts[order->level_count - 1] <= order->count;
    for (size_t i = 1; sound && i < order->level_count; i++) {
        sound = order->level_starts[i - 1] <= order->level_starts[i];
    }
    for (size_t i = 0; sound && i < order->count; i++) {
        sound = order->nodes[i] < graph->node_limit;
    }
    return sound;
}
