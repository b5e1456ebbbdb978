/*
 * graph_order.h - renumber the nodes of a graph so that searches find neighbours close together.
 */
#pragma once

#include "data/graph/graph.h"

enum graph_order {
    GRAPH_ORDER_NONE,
    GRAPH_ORDER_DEGREE, /* most edges, in and out, first */
    GRAPH_ORDER_BFS,    /* as a breadth-first search from the node with most out-edges meets them */
};

/* "none, degree, bfs" */
extern const char graph_order_names[];

/*
 * Renumber. A list keeps the order of its neighbours, original_ids keep the ids of the file. The
 * reverse adjacency is dropped. Returns false with error set when out of memory, the graph
 * unchanged. Cost: a second copy of the graph while it works.
 */
bool graph_renumber(struct graph *graph, enum graph_order order, struct graph_error *error);
