/*
 * path_count.h - counts the shortest paths between two nodes, once their length is known.
 *
 * It goes level by level from both ends, each time on the side with fewer edges, until one edge is
 * left between the two depths. The ways to a node are the sum of the ways to its predecessors; the
 * paths are the products over the edges that join the sides. So it costs about as much as the
 * bidirectional search, not as much as a search of the whole graph.
 * Memory: 40 bytes per node, reserved; only what is reached is touched.
 */
#pragma once

#include "data/graph/graph.h"

struct path_count_node {
    uint32_t depth; /* plus 1; 0: not reached */
    uint32_t stamp; /* the last node with an edge to this one, plus 1 */
    uint64_t ways;  /* shortest paths between the end and this node */
};

struct path_count_side {
    const uint64_t *offsets; /* of the graph, or of its reverse */
    const uint32_t *neighbours;
    struct path_count_node *nodes;
    uint32_t *order;   /* the nodes reached */
    size_t begin, end; /* the last level in order */
    uint32_t depth;
};

struct path_count {
    struct path_count_side sides[2]; /* forwards from the source, backwards from the target */
    uint64_t edges_left;
};

/* The graph must have its reverse adjacency and outlive this. False when out of memory. An all-zero
 * struct may be closed. */
bool path_count_open(struct path_count *count, const struct graph *graph);
void path_count_close(struct path_count *count);

/*
 * The number of shortest paths that have hops edges and differ in at least a node; at most
 * UINT64_MAX. Returns 0 if more than edges_max edges would be needed, or if the two adjacencies
 * contradict each other.
 */
uint64_t path_count_find(struct path_count *count, uint32_t source, uint32_t target, uint32_t hops,
                         uint64_t edges_max);
