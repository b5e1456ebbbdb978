/*
 * array.c - the engine without a list: rows, marks and one array, the limit of the plain method.
 *
 * 1. The queue is an array of all nodes reached, in order; a level is a stretch of it.
 * 2. Rows are prefetched and copied into a buffer, and their marks looked up from there
 *    (level_search.c). Several threads search wide levels as "bitmap" does.
 * Bound: an eighth of a byte of marks and four of queue a node. Gain: no node is allocated, linked
 * or followed; what is left is the look at a bit an edge and the fetch of a row a node.
 * Not for: counts as the challenge has them. Source: the queue of marked nodes is Kelly's
 * (mark_on_push.c); the layout is that of gapbs (Beamer, Asanovic & Patterson, 2015).
 */
#include "bfs/engines/parts/level_search.h"
#include "engines.h"

static void *array_create(const struct graph *graph)
{
    return level_search_create(graph, NULL, false);
}

static void *array_share(void *workspace)
{
    const struct level_search *first = workspace;
    return level_search_create(first->graph, first, false);
}

static const struct search_engine engine = {
    .name = "array",
    .summary = "no list: rows, marks and one array, with prefetching",
    .changes = "the queue is an array; rows are fetched ahead, and their marks looked up many rows "
               "at a time",
    .keeps = "every node is expanded once, from the source outwards",
    .flags = SEARCH_LEVELS,
    .create = array_create,
    .share = array_share,
    .search = level_search_search,
    .path = level_search_path,
    .set_threads = level_search_set_threads,
    .destroy = level_search_destroy,
};

const struct search_engine *array_engine(void)
{
    return &engine;
}
