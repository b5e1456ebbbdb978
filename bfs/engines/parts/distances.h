/*
 * distances.h - the distance of every node from one node, by the plainest search there is, to check
 * whether an answer is right.
 *
 * The search shares nothing with the engines (no marks, no visit order, no levels), so that it can
 * judge them. If you want the distances themselves, use walk.h, which is ten times as fast. Cost: a
 * visit of every node reached and a look at each of its edges.
 */
#pragma once

#include "bfs/search/search.h"
#include "data/graph/graph.h"

struct distances {
    const struct graph *graph;
    uint32_t source;
    uint32_t *hops;       /* a node's distance; 0 for the source, SEARCH_HOPS_NONE if not reached */
    uint32_t *order;      /* the nodes reached, nearest first */
    size_t reached;       /* the source included */
    uint32_t around_hops; /* from the source to itself by an edge, or SEARCH_HOPS_NONE */
};

/* Room for distances; false when out of memory. An all-zero struct may be closed. */
bool distances_open(struct distances *distances, const struct graph *graph);
void distances_close(struct distances *distances);

/* Find them all. The graph must have been checked, if it is read by block. */
void distances_find(struct distances *distances, uint32_t source);

/* What a walk does beside that; all zero is distances_find. */
struct distances_walk {
    const uint32_t *avoided; /* nodes that are not there: nothing reaches them */
    size_t avoided_count;
    const struct search_limits *limits; /* or NULL */
};

/*
 * Find them all, or those until the walk must stop, or meets a bad block of the graph: the status
 * in result says which, and nodes not reached by then have no distance. Of the other members,
 * expanded, edges and elapsed_ns are set.
 */
void distances_find_more(struct distances *distances, uint32_t source,
                         const struct distances_walk *walk, struct search_result *result);

/* The length of the shortest path with at least one edge from the source to target, or
 * SEARCH_HOPS_NONE. */
static inline uint32_t distances_to(const struct distances *distances, uint32_t target)
{
    return target == distances->source ? distances->around_hops : distances->hops[target];
}

/* True if nodes are a path of that many edges from source to target in the graph. */
bool path_is_valid(const struct graph *graph, uint32_t source, uint32_t target, uint32_t hops,
                   const uint32_t *nodes);
