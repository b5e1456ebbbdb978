/*
 * mark_on_push.c - the engine on a queue of list nodes that every node enters only once.
 *
 * 1. A node is marked when it is pushed, so there is one push per node, not one per edge.
 * 2. Nodes without out-edges are marked from the start and never pushed. The target's mark is
 *    cleared: it is found even if it is one of them, or is the source itself.
 * 3. The neighbours of many nodes are looked up together (push_search.h); the search stops after
 *    those among which the target was met.
 * Gain: what is left is a look at one bit per edge, in cache, and per node a fetch of neighbours
 * from anywhere in memory. Source: Kelly, "Efficient Graph Search", ACM Queue 18(4), 2020.
 */
#include "bfs/engines/parts/push_search.h"
#include "bfs/engines/parts/workspace.h"
#include "engines.h"

static void mark_on_push_search(void *workspace, uint32_t source, uint32_t target,
                                const struct search_limits *limits, struct search_result *result)
{
    push_search_search(workspace, source, target, limits, queue_create, result);
}

const struct search_engine mark_on_push_engine = {
    .name = "mark-on-push",
    .summary = "the same queue of list nodes, but a node enters it only once",
    .changes = "a node is marked when it is pushed; the search stops at once at the target",
    .keeps = "the queue, its list nodes, their allocator",
    .flags = SEARCH_USES_LIST,
    .create = workspace_create,
    .search = mark_on_push_search,
    .path = workspace_path,
    .check = workspace_check,
    .destroy = workspace_destroy,
};
