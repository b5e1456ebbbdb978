/*
 * path_count.h - counts the shortest paths between two nodes, and finds them where some nodes must
 * be avoided.
 *
 * It goes level by level from both ends, each time on the side with fewer edges, until one edge is
 * left between the two depths. The ways to a node are the sum of the ways to its predecessors; the
 * paths are the products over the edges that join the sides. So it costs about as much as the
 * bidirectional search, not as much as a search of the whole graph.
 * A node to avoid has a depth that no level has: it is neither new nor on a path.
 * Memory: 40 bytes per node, reserved; only what is reached is touched.
 */
#pragma once

#include "bfs/search/search.h"

#define PATH_AVOIDED UINT32_MAX

struct path_count_node {
    uint32_t depth; /* plus 1; 0: not reached; PATH_AVOIDED */
    uint32_t stamp; /* the last node with an edge to this one, plus 1 */
    uint64_t ways;  /* shortest paths between the end and this node */
};

struct path_count_side {
    const uint64_t *offsets; /* of the graph, or of its reverse */
    const uint32_t *neighbours;
    struct path_count_node *nodes;
    uint32_t *order;      /* the nodes reached */
    size_t begin, end;    /* the last level in order */
    uint64_t level_edges; /* of the last level */
    uint32_t depth;
};

struct path_count {
    struct path_count_side sides[2]; /* forwards from the source, backwards from the target */
    uint64_t edges_left;
    uint32_t *avoided; /* the nodes to avoid */
    size_t avoided_count;
    bool has_path; /* the last path_count_search found one: */
    /* the depths at which an edge joins the sides, and such an edge. */
    uint32_t depths[2];
    uint32_t ends[2];
    unsigned last_side; /* the side that found them */
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

/*
 * From now on no path passes, begins or ends at one of these nodes, which are the graph's; repeats
 * are fine, no nodes are none. False when out of memory; then the nodes to avoid are as before.
 */
bool path_count_avoid(struct path_count *count, const uint32_t *nodes, size_t node_count);

/* True if a node is to be avoided. */
static inline bool path_count_avoids(const struct path_count *count, uint32_t node)
{
    return count->sides[0].nodes[node].depth == PATH_AVOIDED;
}

/*
 * Search for the shortest paths, as an engine does (search.h). result: as an engine's; the number
 * of paths, at most UINT64_MAX, is returned. 0: there is none, or the search ended early.
 */
uint64_t path_count_search(struct path_count *count, uint32_t source, uint32_t target,
                           const struct search_limits *limits, struct search_result *result);

/* One of the paths that the last search found: hops + 1 nodes into nodes. False if it found none,
 * if capacity is too small, or if the two adjacencies contradict each other. */
bool path_count_path(const struct path_count *count, uint32_t *nodes, size_t capacity);
