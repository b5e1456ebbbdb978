/*
 * plain.c - the search of Pointer Wars, level 2, to be read first: push, pop, one mark per node.
 *
 * 1. The current node is at first the source. If it is not marked, mark it and push its neighbours.
 * 2. Pop the next current node. Stop after the pop that follows the push of the target.
 * 3. Hops: the queue holds level after level, so a level ends after a known number of pops.
 * Cost: one push and one pop per edge examined. Not for speed: "classic" has the same counts,
 * and perf/studylib/ideas.md the bound of each idea that makes a search faster.
 */
#include "base/pw_assert.h"
#include "bfs/engines/parts/workspace.h"
#include "bfs/search/search_limits.h"
#include "engines.h"
#include "libqueue/queue.h"

#define STOP_CHECK_INTERVAL 4096 /* pops between two looks at the deadline */

static enum search_status search(struct workspace *workspace, uint32_t node, struct queue *queue,
                                 const struct search_clock *clock, struct search_result *result)
{
    const uint64_t *offsets = workspace->graph->offsets;
    uint64_t level_end = 0; /* pops after which the level of the current node is over */
    while (result->visited % STOP_CHECK_INTERVAL != 0 || search_stop_reason(clock) == SEARCH_DONE) {
        /* A mark: visited, or, from the start on, without out-edges (marks.h). */
        const bool expands = !marks_test(workspace->marks, node);
        if (expands) {
            marks_set(workspace->marks, node);
            visit_order_add(&workspace->order, node);
            for (uint64_t i = offsets[node]; i < offsets[node + 1]; i++, result->pushed++) {
                const uint32_t neighbour = workspace->graph->neighbours[i];
                if (!queue_push(queue, neighbour)) {
                    return SEARCH_NO_MEMORY;
                }
                result->found |= neighbour == workspace->target;
            }
            result->expanded++;
            const uint64_t size = queue_size(queue);
            result->peak_queue = size > result->peak_queue ? size : result->peak_queue;
        }
        const bool popped = queue_pop(queue, &node);
        result->visited += popped || !expands; /* as the challenge counts (search.h) */
        if (!popped || result->found) {
            return SEARCH_DONE;
        }
        pw_assert(queue_size(queue) == result->pushed - result->visited);
        if (result->visited > level_end) {
            level_end = result->pushed;
            if (!visit_order_start_level(&workspace->order, workspace->order.count)) {
                return SEARCH_NO_MEMORY;
            }
        }
    }
    return search_stop_reason(clock);
}

static void plain_search(void *workspace, uint32_t source, uint32_t target,
                         const struct search_limits *limits, struct search_result *result)
{
    struct workspace *own = workspace;
    struct search_clock clock;
    workspace_start(own, target);
    search_start(&clock, limits, result);
    struct queue *queue = queue_create();
    result->status = queue != NULL ? search(own, source, queue, &clock, result) : SEARCH_NO_MEMORY;
    queue_delete(queue);
    result->found &= result->status == SEARCH_DONE;
    result->hops = own->hops = result->found ? (uint32_t)own->order.level_count : SEARCH_HOPS_NONE;
    result->edges = result->pushed;
    search_finish(&clock, result);
}

const struct search_engine plain_engine = {
    .name = "plain",
    .summary = "the challenge's search, to be read first: push, pop, one mark per node",
    .changes = "nothing: every other engine is described by its difference from this one",
    .keeps = "everything: one push per edge, one pop per push, every count of the challenge",
    .flags = SEARCH_USES_LIST | SEARCH_EXACT_COUNTS,
    .create = workspace_create,
    .search = plain_search,
    .path = workspace_path,
    .check = workspace_check,
    .destroy = workspace_destroy,
};
