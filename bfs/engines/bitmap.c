/*
 * bitmap.c - "plain" without a list, as "array"; and dense frontiers are expanded as bits, without
 * a branch per edge.
 *
 * 1. Sparse frontiers are expanded node after node, as in "array".
 * 2. In a dense one, a bit is set for every neighbour, reached before or not. The next frontier has
 *    the nodes with a bit but without a mark, in order of the nodes (dense_frontier.h).
 * Cost: three more bits per node. Gain: "array" loses half of its time to one branch per edge that
 * cannot be predicted and to neighbours that lie anywhere. Not for graphs without dense frontiers,
 * where it is "array". Source: Chhugani et al., "Fast and Efficient Graph Traversal Algorithm for
 * CPUs", IPDPS 2012.
 */
#include "bfs/engines/parts/level_search.h"
#include "engines.h"

static void *bitmap_create(const struct graph *graph, const void *from)
{
    return level_search_create(graph, from, LEVEL_DENSE, level_search_top_down);
}

const struct search_engine bitmap_engine = {
    .name = "bitmap",
    .summary = "array, but dense frontiers are collected as bits",
    .changes = "as array; and from a dense frontier every neighbour's bit is set blindly, and the "
               "next frontier is made from the bits, in order of the nodes",
    .keeps = "every node is expanded once, level by level; sparse frontiers as in array",
    .flags = SEARCH_LEVELS,
    .create = bitmap_create,
    .search = level_search_search,
    .path = workspace_path,
    .set_threads = level_search_set_threads,
    .check = level_search_check,
    .destroy = level_search_destroy,
};
