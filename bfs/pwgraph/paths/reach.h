/*
 * reach.h - what each of many nodes reaches: how many nodes, how far the farthest one is, and the
 * sum of all distances. From these follow diameter, radius and the mean distance of a graph.
 *
 * 1. 512 searches run at once, a bit (a lane) each: the searches at a node are one cache line.
 * 2. In a level of few edges, active nodes push their bits to their neighbours. In other levels
 *    every node that a search still lacks pulls the bits of the nodes before it, until it has all.
 * 3. How many nodes each search reaches in a level is counted with vertical counters: the bits of a
 *    number lie in as many words, and one addition counts for 64 searches.
 * 4. If the searches of a pass share few visits, as in a road network, the others are made one by
 *    one.
 * Cost: 200 bytes per node. It is twenty times as fast as single searches on a random graph of
 * 200,000 edges, and nine times on one of 45 M edges. Not for a single node: distances.h.
 * Source: Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2015.
 * The engine "multi-source" does the same for pairs: it ends at targets, and counts nothing.
 */
#pragma once

#include "bfs/search/search.h"
#include "data/graph/graph.h"

struct reach {
    uint64_t farness;      /* the sum of the distances of all nodes reached */
    uint32_t eccentricity; /* the largest of these distances */
    uint32_t reached;      /* nodes, the node itself included */
};

struct reach_walk {
    bool is_backwards; /* what reaches each node, over the reverse adjacency */
    /* Nodes that are not there: they reach nothing, and nothing reaches them. */
    const uint32_t *avoided;
    size_t avoided_count;
    const struct search_limits *limits; /* or NULL */
};

/*
 * Find the reach of each node in nodes, repeats included. The graph must have its reverse
 * adjacency, and have been checked if it is read by block. result: the status, expanded, edges and
 * elapsed_ns are set. If the status is not SEARCH_DONE, nodes without an answer have reached 0.
 */
void reach_find(const struct graph *graph, const uint32_t *nodes, size_t count,
                const struct reach_walk *walk, struct reach *reach, struct search_result *result);
