/*
 * random_node.h - a random node from which a search can start.
 */
#pragma once

#include "data/graph/graph.h"

/*
 * Draw a node with out-edges; all are equally likely. state: of a stream of SplitMix64, any value
 * is a seed. False, with state unchanged, if the graph has no edges. Cost: some draws; if hardly
 * any node has edges, a walk through the offsets.
 */
bool random_node_with_edges(const struct graph *graph, uint64_t *state, uint32_t *node);
