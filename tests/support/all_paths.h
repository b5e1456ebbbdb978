/*
 * all_paths.h - all shortest paths of a pair in one call, as the files beneath the library make
 * them.
 */
#pragma once

#include "bfs/pwgraph/paths/path_graph.h"

/* False when out of memory; the paths are to be freed in any case. */
static inline bool all_paths_find(const struct graph *graph, struct pair pair,
                                  struct path_graph *paths)
{
    struct path_count search;
    struct search_result result;
    *paths = (struct path_graph){.hops = SEARCH_HOPS_NONE};
    if (!path_count_open(&search, graph)) {
        return false;
    }
    const enum path_graph_outcome outcome =
        path_graph_make(paths, &search, pair.source, pair.target, NULL, &result);
    path_count_close(&search);
    return outcome != PATH_GRAPH_NO_MEMORY;
}
