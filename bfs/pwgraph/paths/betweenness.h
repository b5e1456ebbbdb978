/*
 * betweenness.h - how many shortest paths pass each node: the betweenness centrality.
 *
 * 1. For each source: a walk by levels (walk.h). Then the number of shortest paths to each node is
 *    the sum of the numbers of the nodes before it, level by level outwards.
 * 2. Inwards, each node hands its share, and 1 for the pair that ends at it, to the nodes before
 *    it, in proportion to their numbers. What a node gets is the sum over all targets of the share
 *    of the paths from the source that pass it.
 * 3. The numbers may exceed any floating-point number. Only numbers of neighbouring levels are
 *    compared, so a level is scaled down when it gets too large.
 * 4. Both passes look at in-neighbours, which ascend, so that repeated edges are skipped.
 * 5. Each of n threads takes every n-th source, and their sums are added in order. So the same
 *    number of threads gives the same sums to the last bit.
 * Cost: a walk and two looks at every edge per source; 36 bytes per node and thread. Samples of
 * the sources give an estimate. Source: Brandes, "A Faster Algorithm for Betweenness Centrality",
 * Journal of Mathematical Sociology 25(2), 2001.
 */
#pragma once

#include "bfs/engines/parts/walk.h"

struct betweenness_plan {
    const uint32_t *sources; /* a repeat counts again */
    size_t source_count;
    bool with_ends; /* a path also passes its source and its target */
    unsigned threads;
    const uint32_t *avoided; /* nodes that are not there */
    size_t avoided_count;
    const struct search_limits *limits; /* or NULL */
};

/*
 * Add up, for each node, the shares of the shortest paths from the sources to all nodes that pass
 * it, into sums, node_limit entries. The graph must have its reverse adjacency, and all of it must
 * have been checked. result: status, expanded, edges and elapsed_ns are set. If the status is not
 * SEARCH_DONE, the sums are of no use.
 */
void betweenness_find(const struct graph *graph, const struct betweenness_plan *plan, double *sums,
                      struct search_result *result);
