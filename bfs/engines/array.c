/*
 * array.c - "plain" without a list: neighbours, marks and one array, the limit of its method.
 *
 * 1. A node is marked when it is reached, so that the queue is an array of all nodes reached, in
 *    order; a level is a stretch of it.
 * 2. Neighbours are prefetched and copied into a buffer, and their marks looked up from there
 *    (level_search.c). Several threads expand dense frontiers as "bitmap" does.
 * Cost: 1/8 byte of marks and 4 bytes of queue per node. Gain: no node is allocated, linked or
 * followed; the rest is one bit looked up per edge and a fetch of neighbours per node.
 * Not for the challenge's counts. Source: the queue of marked nodes is Kelly's (mark_on_push.c);
 * the layout is gapbs's (Beamer, Asanovic & Patterson, 2015).
 */
#include "bfs/engines/parts/level_search.h"
#include "engines.h"

static void *array_create(const struct graph *graph, const void *from)
{
    return level_search_create(graph, from, LEVEL_SPARSE, level_search_top_down);
}

const struct search_engine array_engine = {
    .name = "array",
    .summary = "no list: neighbours, marks and one array, with prefetching",
    .changes =
        "a node is marked when it is reached, and the queue is an array; marks are looked up "
        "for many nodes at a time",
    .keeps = "every node is expanded once, from the source outwards",
    .flags = SEARCH_LEVELS,
    .create = array_create,
    .search = level_search_search,
    .path = workspace_path,
    .set_threads = level_search_set_threads,
    .check = level_search_check,
    .destroy = level_search_destroy,
};
