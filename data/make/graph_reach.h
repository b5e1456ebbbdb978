/*
 * graph_reach.h - the nodes that a plain breadth-first search reaches.
 */
#pragma once

#include "data/graph/graph.h"

/*
 * Append start (not seen yet) and all unseen nodes reachable from it to nodes, in the order of the
 * search. filled: how many are in nodes already. seen: one per node. Returns how many are in nodes
 * afterwards.
 */
size_t graph_reach(const struct graph *graph, uint32_t start, bool *seen, uint32_t *nodes,
                   size_t filled);
