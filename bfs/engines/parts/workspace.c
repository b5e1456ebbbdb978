/*
 * workspace.c - see workspace.h.
 */
#include "workspace.h"
#include "bfs/search/search.h"
#include "large_block.h"
#include <stdlib.h>

bool workspace_open(struct workspace *workspace, const struct graph *graph,
                    const struct workspace *from)
{
    workspace->graph = graph;
    workspace->from = from;
    workspace->hops = SEARCH_HOPS_NONE;
    workspace->marks = marks_create(graph);
    workspace->sinks = from != NULL               ? from->sinks
                       : workspace->sinks != NULL ? workspace->sinks
                                                  : marks_create_sinks(graph);
    if (!visit_order_open(&workspace->order, graph) || workspace->marks == NULL ||
        workspace->sinks == NULL) {
        workspace_close(workspace);
        return false;
    }
    memcpy(workspace->marks, workspace->sinks, marks_words(graph) * sizeof(*workspace->marks));
    return true;
}

void workspace_close(struct workspace *workspace)
{
    if (workspace->from == NULL) {
        large_block_free((uint64_t *)(uintptr_t)workspace->sinks);
    }
    large_block_free(workspace->marks);
    visit_order_close(&workspace->order);
}

void *workspace_create(const struct graph *graph, const void *from)
{
    struct workspace *workspace = calloc(1, sizeof(*workspace));
    if (workspace != NULL && !workspace_open(workspace, graph, from)) {
        free(workspace);
        return NULL;
    }
    return workspace;
}

void workspace_destroy(void *workspace)
{
    if (workspace != NULL) {
        workspace_close(workspace);
        free(workspace);
    }
}

void workspace_start(struct workspace *workspace, uint32_t target)
{
    pw_assert(target <= workspace->graph->node_limit);
    const size_t words = marks_words(workspace->graph);
    uint64_t *marks = workspace->marks;
    const uint64_t *sinks = workspace->sinks;
    struct visit_order *order = &workspace->order;
    if (workspace->marked_more || order->count >= words / 8) {
        /* A copied word costs about an eighth of a scattered one. */
        memcpy(marks, sinks, words * sizeof(*marks));
    } else {
        marks[workspace->target / 64] = sinks[workspace->target / 64];
        for (size_t i = 0; i < order->count; i++) {
            marks[order->nodes[i] / 64] = sinks[order->nodes[i] / 64];
        }
    }
    pw_assert(memcmp(marks, sinks, words * sizeof(*marks)) == 0);
    visit_order_clear(order);
    workspace->marked_more = false;
    workspace->target = target;
    workspace->hops = SEARCH_HOPS_NONE;
}

bool workspace_path(void *workspace, uint32_t *nodes, size_t capacity)
{
    const struct workspace *last = workspace;
    return last->hops != SEARCH_HOPS_NONE &&
           visit_order_path(&last->order, last->graph, last->target, last->hops, nodes, capacity);
}

bool workspace_check(const void *workspace)
{
    const struct workspace *checked = workspace;
    bool sound = visit_order_check(&checked->order, checked->graph);
    for (size_t i = 0; sound && i < checked->order.count; i++) {
        sound = marks_test(checked->marks, checked->order.nodes[i]) ||
                checked->order.nodes[i] == checked->target;
    }
    for (size_t word = 0; sound && word < marks_words(checked->graph); word++) {
        uint64_t target = word == checked->target / 64 ? marks_bit(checked->target) : 0;
        sound = (checked->sinks[word] & ~checked->marks[word] & ~target) == 0;
    }
    return sound;
}
