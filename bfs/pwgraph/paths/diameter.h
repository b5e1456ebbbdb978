/*
 * diameter.h - the exact diameter, radius and centre of a strong component, by few walks.
 *
 * 1. A node has two eccentricities, along the edges and against them: the largest distances in the
 *    component. Each has a lower and an upper bound, which every walk narrows.
 * 2. A walk gives its source an eccentricity e. A node d hops away then has at least e - d; and its
 *    other one is at least d, and at most d more than the other one of the source.
 * 3. Diameter and radius are found when no upper bound exceeds the largest eccentricity so far, and
 *    the smallest lower bound is the smallest upper one. The next walk is from a node in the way.
 * Tried: steps of one kind, or in turns, take up to 20 times as many walks; a walk back from the
 * source of the last walk, and not from its far end, up to 60 times as many.
 * Cost: 28 bytes per node, a look at them after each step; walks. Bad for uniform random graphs.
 * Source: Borassi et al., "Fast diameter and radius BFS-based computation in (weakly connected)
 * real-world graphs", TCS 586, 2015 (ExactSumSweep).
 */
#pragma once

#include "bfs/engines/parts/walk.h"
#include "data/graph/graph.h"

struct diameter_plan {
    const uint32_t *components; /* the number of each node's component; node_limit entries */
    uint32_t component;         /* the strong one that is asked about; it has a node */
    struct walk *walk;          /* the state for walks in the graph */
    const struct search_limits *limits; /* of all walks; or NULL */
};

/* What is known: a value is between two bounds, which are equal at the end. */
struct diameter {
    uint32_t diameter_min, diameter_max;
    uint32_t radius_min, radius_max;
    uint32_t center; /* a node with an eccentricity of radius_max at most */
    uint32_t from,
        to; /* two nodes diameter_min hops apart; GRAPH_NODE_NONE before the first walk */
    uint32_t walks;
};

/*
 * Find diameter and radius. The graph must have its reverse adjacency, and have been checked if it
 * is read by block. least, unless it is NULL: node_limit entries, for a lower bound of each node's
 * eccentricity; GRAPH_NODE_NONE outside of the component. result: status and elapsed_ns are set. If
 * the status is not SEARCH_DONE, found and least have what was known by then. If it is, and bounds
 * differ, the two adjacencies contradict each other.
 */
void diameter_find(const struct graph *graph, const struct diameter_plan *plan, uint32_t *least,
                   struct diameter *found, struct search_result *result);
