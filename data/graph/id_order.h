/*
 * id_order.h - the nodes of a renumbered graph in the order of their original ids.
 *
 * Cost: 4 bytes per node. If the ids are the numbers of the nodes in another order, each node is
 * put into its place, and found at once; else they are sorted, and found by binary search.
 */
#pragma once

#include "graph.h"

/* Make the order of a graph with original ids. The caller frees it. NULL when out of memory. */
uint32_t *id_order_make(const struct graph *graph);

/* True if an order lists nodes by ascending original id. */
bool id_order_holds(const struct graph *graph, const uint32_t *order);

/*
 * The node with an original id. order: of the graph; NULL if the ids ascend with the nodes. False
 * if there is no such node, or if a bad block of the snapshot is in the way (graph_is_damaged).
 */
bool id_order_find(const struct graph *graph, const uint32_t *order, uint64_t id, uint32_t *node);
