/*
 * bitmap.c - the engine "array", but wide levels are searched as bits: without a branch an edge.
 *
 * 1. Narrow levels are searched node after node, as in "array".
 * 2. In a wide one a bit is set for every neighbour, whether it was reached before or not; the next
 *    level is what the bits say and the marks do not, in order of the nodes (wide_level.h).
 * Bound: three more bits a node. Gain: half of array's time is lost to one branch an edge that
 * cannot be predicted and to rows that lie anywhere. Not for: graphs whose levels are all narrow,
 * where it is "array". Source: Chhugani et al., "Fast and Efficient Graph Traversal Algorithm for
 * CPUs", IPDPS 2012.
 */
#include "bfs/engines/parts/level_search.h"
#include "engines.h"

static void *bitmap_create(const struct graph *graph)
{
    return level_search_create(graph, NULL, true);
}

static void *bitmap_share(void *workspace)
{
    const struct level_search *first = workspace;
    return level_search_create(first->graph, first, true);
}

static const struct search_engine engine = {
    .name = "bitmap",
    .summary = "array, but wide levels are collected as bits",
    .changes = "in a wide level every neighbour's bit is set blindly; the next level is made from "
               "the bits, in order of the nodes",
    .keeps = "every node is expanded once, level by level; narrow levels as in array",
    .flags = SEARCH_LEVELS,
    .create = bitmap_create,
    .share = bitmap_share,
    .search = level_search_search,
    .path = level_search_path,
    .set_threads = level_search_set_threads,
    .destroy = level_search_destroy,
};

const struct search_engine *bitmap_engine(void)
{
    return &engine;
}
