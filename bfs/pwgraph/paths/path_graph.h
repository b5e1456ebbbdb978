/*
 * path_graph.h - all shortest paths between two nodes, as the graph that they form.
 *
 * 1. path_count.h searches from both ends. The edges that join the sides lie on shortest paths.
 * 2. From there back to both ends, level by level: an in-neighbour of a node on a path is also on
 *    one if its distance from its end is one less; the same for out-neighbours on the other side.
 * 3. Then, from the source outwards, the ways to a node are the sum over the nodes before it, in
 *    128 bits.
 * Cost: the search, and another look at the edges that it has followed, or at fewer; 4 bytes per
 * node found and per link, 16 more per node.
 */
#pragma once

#include "path_count.h"

#define PATH_COUNT_SIZE 40 /* 39 digits, as 2^128 has */

struct path_graph {
    uint32_t hops; /* of every path; SEARCH_HOPS_NONE: no path */
    size_t node_count;
    uint32_t *nodes; /* by their distance from the source, then by number; a node from which the
                        paths lead to itself is there twice, first and last */
    size_t *levels;  /* hops + 2: where each distance begins in nodes */
    size_t *begins;  /* node_count + 1: where the links to each place begin */
    uint32_t *links; /* the places in nodes of the nodes before it, ascending */
    char count[PATH_COUNT_SIZE]; /* the number of paths, decimal, or "more than 3.4e38" */
    uint64_t count_at_most;      /* that number, or UINT64_MAX if it is larger */
};

enum path_graph_outcome {
    PATH_GRAPH_DONE,  /* also if there is no path */
    PATH_GRAPH_ENDED, /* by the limits, or the graph is damaged: result says which */
    PATH_GRAPH_NO_MEMORY,
    PATH_GRAPH_CONTRADICTS, /* a damaged snapshot's two adjacencies contradict each other */
};

/*
 * Find all shortest paths from source to target that avoid what `search` avoids. result: as of
 * path_count_search. The limits are of the whole call. After a failure paths is empty; it may be
 * freed, but need not. Of a graph that is read by block only the lists looked at are checked.
 */
enum path_graph_outcome path_graph_make(struct path_graph *paths, struct path_count *search,
                                        uint32_t source, uint32_t target,
                                        const struct search_limits *limits,
                                        struct search_result *result);
void path_graph_free(struct path_graph *paths);

#define PATH_LONGER_MAX 1

/*
 * Find all paths with `longer` edges more than a shortest one, at most PATH_LONGER_MAX, and no
 * node twice, except that the source may be the target; all else as for path_graph_make. A node may
 * be in the list at two distances. Cost: also a look, for longer ones two, at the lists that the
 * search has read.
 */
enum path_graph_outcome path_graph_make_longer(struct path_graph *paths, struct path_count *search,
                                               uint32_t source, uint32_t target, uint32_t longer,
                                               const struct search_limits *limits,
                                               struct search_result *result);

/*
 * Call emit for the first `limit` paths, each hops + 1 nodes, in the order of the nodes' numbers
 * read from the target's end, until it returns false. Returns false when out of memory; then it is
 * not called.
 */
typedef bool path_graph_emit(void *context, const uint32_t *nodes, uint32_t hops);
bool path_graph_walk(const struct path_graph *paths, uint64_t limit, path_graph_emit *emit,
                     void *context);
