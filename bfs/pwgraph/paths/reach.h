/*
 * reach.h - what each of many nodes reaches: how many nodes, how far the farthest one is, and the
 * sum of all distances. From these follow diameter, radius and the mean distance of a graph.
 *
 * 1. 512 searches run at once, a bit (a lane) each: the searches at a node are one cache line.
 * 2. In a level of few edges, active nodes push their bits to their neighbours. In other levels
 *    every node that a search still lacks pulls the bits of the nodes before it, until it has all.
 * 3. How many nodes each search reaches in a level is counted with vertical counters: the bits of a
 *    number lie in as many words, and one addition counts for 64 searches.
 * 4. Few nodes, and those left over by the passes, are walked from one by one (walk.h). So are all
 *    others, if the searches of a pass share few visits, as in a road network.
 * Cost: a pass takes 200 bytes per node of the graph, a walk 5. A pass of 512 searches takes as
 * long as 250 walks in a small graph, and as 60 in a large one.
 * Source: Then et al., "The More the Merrier: Efficient Multi-Source Graph Traversal", VLDB 2015.
 * The engine "multi-source" does the same for pairs: it ends at targets, and counts nothing.
 */
#pragma once

#include "bfs/engines/parts/walk.h"
#include "data/graph/graph.h"

struct reach {
    uint64_t farness;      /* the sum of the distances of all nodes reached */
    double harmonic;       /* the sum of 1 / distance over the same nodes, but itself */
    uint32_t eccentricity; /* the largest of these distances */
    uint32_t reached;      /* nodes, the node itself included */
};

struct reach_plan {
    bool is_backwards; /* what reaches each node, over the reverse adjacency */
    /* Nodes that are not there: they reach nothing, and nothing reaches them. */
    const uint32_t *avoided;
    size_t avoided_count;
    const struct search_limits *limits; /* or NULL */
    struct walk **walk;                 /* the state for walks, made if it is needed ... */
    unsigned threads;                   /* ... with that many threads */
};

/*
 * Find the reach of each node in nodes, repeats included. The graph must have its reverse
 * adjacency, and have been checked if it is read by block. result: the status, expanded, edges and
 * elapsed_ns are set. If the status is not SEARCH_DONE, nodes without an answer have reached 0.
 */
void reach_find(const struct graph *graph, const uint32_t *nodes, size_t count,
                const struct reach_plan *plan, struct reach *reach, struct search_result *result);
