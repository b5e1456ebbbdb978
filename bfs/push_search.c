/*
 * push_search.c - the workspace of the engines that mark as they push.
 */
#include "push_search.h"
#include <stdlib.h>

void push_search_destroy(void *workspace)
{
    struct push_search *search = workspace;
    if (search == NULL) {
        return;
    }
    if (search->from == NULL) {
        marks_free((uint64_t *)(uintptr_t)search->sinks);
    }
    marks_free(search->marks);
    trail_close(&search->trail);
    free(search);
}

static void *create(const struct graph *graph, const struct push_search *from)
{
    struct push_search *search = calloc(1, sizeof(*search));
    if (search == NULL) {
        return NULL;
    }
    search->graph = graph;
    search->from = from;
    search->hops = SEARCH_HOPS_NONE;
    search->marks = marks_create(graph);
    search->sinks = from != NULL ? from->sinks : marks_create_sinks(graph);
    if (!trail_open(&search->trail, graph) || search->marks == NULL || search->sinks == NULL) {
        push_search_destroy(search);
        return NULL;
    }
    memcpy(search->marks, search->sinks, marks_words(graph) * sizeof(*search->marks));
    return search;
}

void *push_search_create(const struct graph *graph)
{
    return create(graph, NULL);
}

void *push_search_share(void *workspace)
{
    const struct push_search *first = workspace;
    return create(first->graph, first);
}

void push_search_prepare(struct push_search *search, uint32_t source, uint32_t target)
{
    const struct graph *graph = search->graph;
    struct trail *trail = &search->trail;
    /* Marked, but in no row that the trail tells of: what was queued and never expanded. */
    memcpy(search->marks, search->sinks, marks_words(graph) * sizeof(*search->marks));
    trail_clear(trail);
    trail_begin_level(trail, 0);
    search->target = target;
    search->hops = SEARCH_HOPS_NONE;
    marks_set(search->marks, source);
    marks_clear(search->marks, target);
}

bool push_search_path(void *workspace, uint32_t *nodes)
{
    const struct push_search *search = workspace;
    return search->hops != SEARCH_HOPS_NONE &&
           trail_path(&search->trail, search->graph, search->target, search->hops, nodes);
}
