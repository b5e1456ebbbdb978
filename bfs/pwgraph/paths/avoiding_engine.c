/*
 * avoiding_engine.c - the search around nodes to avoid, as an engine; see path_count.h.
 */
#include "path_count.h"
#include <stdlib.h>

static void *avoiding_create(const struct graph *graph, const void *from)
{
    const struct path_count *like = from;
    struct path_count *count = malloc(sizeof(*count));
    if (count != NULL && !path_count_open(count, graph)) {
        free(count);
        return NULL;
    }
    if (count != NULL && like != NULL &&
        !path_count_avoid(count, like->avoided, like->avoided_count)) {
        path_count_close(count);
        free(count);
        return NULL;
    }
    return count;
}

static void avoiding_search(void *workspace, uint32_t source, uint32_t target,
                            const struct search_limits *limits, struct search_result *result)
{
    path_count_search(workspace, source, target, limits, result);
}

static bool avoiding_path(void *workspace, uint32_t *nodes, size_t capacity)
{
    return path_count_path(workspace, nodes, capacity);
}

/* True if each node reached or to avoid is found in its slot. */
static bool avoiding_check(const void *workspace)
{
    const struct path_count *count = workspace;
    for (unsigned i = 0; i < 2; i++) {
        const struct path_count_side *side = &count->sides[i];
        for (size_t place = 0; place < side->end; place++) {
            if (path_count_slot_of(side, side->order[place])->place != place + 1) {
                return false;
            }
        }
    }
    return true;
}

static void avoiding_destroy(void *workspace)
{
    path_count_close(workspace);
    free(workspace);
}

const struct search_engine avoiding_engine = {
    .name = "avoiding",
    .summary = "from both ends, level by level, around the nodes to avoid",
    .changes = "searches from both ends and counts the shortest paths; nodes reached are hashed",
    .keeps = "the answer",
    .flags = SEARCH_NEEDS_REVERSE | SEARCH_BY_BLOCK,
    .create = avoiding_create,
    .search = avoiding_search,
    .path = avoiding_path,
    .check = avoiding_check,
    .destroy = avoiding_destroy,
};
