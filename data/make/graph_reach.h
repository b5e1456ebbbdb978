/*
 * graph_reach.h - what a plain breadth-first search meets.
 */
#pragma once

#include "data/graph/graph.h"

/*
 * Append start, which is not seen yet, and all unseen nodes that can be reached from it to nodes,
 * of which filled are there, in the order in which they are met. seen: one per node. Returns how
 * many are there then.
 */
size_t graph_reach(const struct graph *graph, uint32_t start, bool *seen, uint32_t *nodes,
                   size_t filled);
