/*
 * visit_order.h - the nodes that a search has reached, in order, level by level; paths from it.
 *
 * 1. An engine appends each node that it expands (or queues) once, and says where a level starts.
 * 2. A path is read backwards. The node before v is the smallest one of the level before that has v
 *    among its neighbours. So the path does not depend on the order within a level, which varies
 *    with the number of threads.
 * Gain: a search keeps no parents; it pays one store in address order per node. Cost: 4 bytes per
 * node, 8 per level. With the reverse adjacency, reading a path looks at the in-neighbours of its
 * nodes and once at the order; without it, at most at all that the search examined.
 */
#pragma once

#include "base/pw_assert.h"
#include "data/graph/graph.h"

#define VISIT_ORDER_SLACK 64 /* entries past the end that may be read (as nodes) or overwritten */

struct visit_order {
    uint32_t *nodes; /* one entry per node of the graph, and VISIT_ORDER_SLACK more */
    size_t count;
    size_t limit;         /* entries of nodes */
    size_t *level_starts; /* index of the first node of each level; room for one more */
    size_t level_count;
    size_t level_capacity;
    size_t last_end; /* end of the level started last, if known then; else SIZE_MAX */
};

/* An empty order; false when out of memory. An all-zero one may be closed. */
bool visit_order_open(struct visit_order *order, const struct graph *graph);
void visit_order_close(struct visit_order *order);

/* Empty it, with the first level started; costs nothing. */
void visit_order_clear(struct visit_order *order);

static inline void visit_order_add(struct visit_order *order, uint32_t node)
{
    pw_assert(order->count < order->limit);
    order->nodes[order->count++] = node;
}

/* Begin a new level at index start. False when out of memory. */
bool visit_order_start_level(struct visit_order *order, size_t start);

/*
 * The path of that many hops from the first node of the order to target, written to nodes: hops + 1
 * entries, at most capacity. graph: where the search took its neighbours. False if the order has no
 * such path, if there is no room for it, or if the two adjacencies of the graph contradict each
 * other.
 */
bool visit_order_path(const struct visit_order *order, const struct graph *graph, uint32_t target,
                      uint32_t hops, uint32_t *nodes, size_t capacity);

/* True if the levels follow each other and every entry is a node of the graph. Linear. */
bool visit_order_check(const struct visit_order *order, const struct graph *graph);
