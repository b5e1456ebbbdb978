/*
 * array.c - the engine without a list: rows, marks and one array, the limit of the plain method.
 *
 * 1. The queue is an array of all nodes reached, in order; a level is a stretch of it.
 * 2. Rows are prefetched and copied into a buffer, and their marks looked up from there
 *    (level_search.c); with several threads, a level is searched in pieces.
 * Bound: an eighth of a byte of marks and four of queue a node. Gain: no node is allocated, linked
 * or followed; what is left is the look at a bit an edge and the fetch of a row a node.
 * Not for: counts as the challenge has them. Source: the queue of marked nodes is Kelly's
 * (mark_on_push.c); the layout is that of gapbs (Beamer, Asanovic & Patterson, 2015).
 */
#include "large_block.h"
#include "level_search.h"

static void *create(const struct graph *graph, const struct level_search *from)
{
    struct level_search *search = large_block_create(sizeof(*search));
    if (search != NULL && !level_search_open(search, graph, from)) {
        large_block_free(search);
        return NULL;
    }
    return search;
}

static void *array_create(const struct graph *graph)
{
    return create(graph, NULL);
}

static void *array_share(void *workspace)
{
    const struct level_search *first = workspace;
    return create(first->graph, first);
}

static void array_destroy(void *workspace)
{
    if (workspace != NULL) {
        level_search_close(workspace);
        large_block_free(workspace);
    }
}

static void array_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result)
{
    struct level_search *search = workspace;
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    uint64_t start_ns = search_start(limits);
    level_search_begin(search, source, target, limits, start_ns);
    do {
        level_search_top_down(search);
    } while (level_search_advance(search, result));
    result->elapsed_ns = search_stop(limits, start_ns);
}

static bool array_path(void *workspace, uint32_t *nodes)
{
    return level_search_path(workspace, nodes);
}

static bool array_set_threads(void *workspace, unsigned threads)
{
    return level_search_set_threads(workspace, threads);
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
    .search = array_search,
    .path = array_path,
    .set_threads = array_set_threads,
    .destroy = array_destroy,
};

const struct search_engine *array_engine(void)
{
    return &engine;
}
