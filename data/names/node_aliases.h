/*
 * node_aliases.h - the aliases of a node: in a wiki, the titles that redirect to it.
 *
 * A snapshot has the node of each alias, and not the aliases of each node. An index puts them in
 * the order of their nodes, by a counting sort.
 * Cost: 4 bytes per name and 4 per alias; two passes over the aliases. Without an index, each
 * question is a pass.
 */
#pragma once

#include "data/graph/graph.h"

/* All-zero: no index. */
struct node_aliases {
    uint32_t *begins;  /* by name: where its aliases begin in numbers; one entry more than names */
    uint32_t *numbers; /* of the aliases, ascending per name */
};

/* Make the index. False, and it stays all-zero, when out of memory, if a graph has no aliases, or
 * if a bad block of the snapshot is in the way (graph_blocks.h). */
bool node_aliases_open(struct node_aliases *index, const struct graph *graph);
void node_aliases_close(struct node_aliases *index);

/*
 * Write the first `capacity` aliases of a node, in the order of the snapshot, to titles: strings of
 * the graph. Returns how many there are. index: all-zero for a pass over all aliases.
 */
size_t node_aliases_find(const struct node_aliases *index, const struct graph *graph, uint32_t node,
                         const char **titles, size_t capacity);
