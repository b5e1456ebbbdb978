/*
 * graph_components.h - the connected component of every node.
 */
#pragma once

#include "base/cancel.h"
#include "data/graph/graph.h"

enum graph_connection {
    GRAPH_WEAK,   /* two nodes are connected by a path that may follow edges backwards */
    GRAPH_STRONG, /* a path leads from each of the two to the other */
};

enum graph_components_outcome {
    GRAPH_COMPONENTS_DONE,
    GRAPH_COMPONENTS_NO_MEMORY,
    GRAPH_COMPONENTS_CANCELLED,
};

#define GRAPH_COMPONENT_NONE UINT32_MAX

/*
 * components[u] becomes the number of the component of node u, and GRAPH_COMPONENT_NONE where there
 * is no node (below first_node); node_limit entries. *count: how many there are. Weak ones are
 * numbered from 0 by their smallest node; strong ones so that every edge between two leads to the
 * smaller number. cancel: see base/cancel.h. Unless the outcome is GRAPH_COMPONENTS_DONE, nothing
 * written is of use.
 * Cost: a look at every edge; 24 bytes per node beside the result for strong ones.
 */
enum graph_components_outcome graph_components(const struct graph *graph,
                                               enum graph_connection connection,
                                               uint32_t *components, uint32_t *count,
                                               const volatile sig_atomic_t *cancel);
