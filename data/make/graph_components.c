/*
 * graph_components.c - Tarjan's algorithm for strong components, without recursion, and a forest of
 * sets for weak ones, in the array of the result itself.
 *
 * Sources: R. Tarjan, "Depth-first search and linear graph algorithms" (1972); union by index with
 * path halving.
 */
#include "graph_components.h"
#include "base/pw_assert.h"
#include <stdlib.h>

#define NODES_PER_CHECK 4096 /* between two looks at the flag */

/* Strong components --------------------------------------------------------------------- */

/* Tarjan's state: nodes are numbered from 1, in the order of the search. */
struct strong {
    const struct graph *graph;
    uint32_t *components;
    uint32_t *numbers; /* 0: not met */
    uint32_t *lowest;  /* the smallest number of an open node that the node reaches */
    uint64_t *edges;   /* the next edge of a node on the path */
    uint32_t *path, *open;
    size_t path_length, open_count;
    uint32_t met, closed; /* nodes, components */
};

static void strong_enter(struct strong *strong, uint32_t node)
{
    strong->numbers[node] = strong->lowest[node] = ++strong->met;
    strong->edges[node] = strong->graph->offsets[node];
    strong->path[strong->path_length++] = node;
    strong->open[strong->open_count++] = node;
}

/* All edges of the path's last node are done: close its component if it is the root of one. */
static void strong_leave(struct strong *strong)
{
    const uint32_t node = strong->path[--strong->path_length];
    const uint32_t lowest = strong->lowest[node];
    if (lowest == strong->numbers[node]) {
        uint32_t member;
        do {
            member = strong->open[--strong->open_count];
            strong->components[member] = strong->closed;
        } while (member != node);
        strong->closed++;
    }
    if (strong->path_length > 0) {
        const uint32_t parent = strong->path[strong->path_length - 1];
        strong->lowest[parent] = lowest < strong->lowest[parent] ? lowest : strong->lowest[parent];
    }
}

/* Search from a node that was not met. False if the flag was set. */
static bool strong_search(struct strong *strong, uint32_t root, const volatile sig_atomic_t *cancel)
{
    strong_enter(strong, root);
    while (strong->path_length > 0) {
        const uint32_t node = strong->path[strong->path_length - 1];
        if (strong->edges[node] == strong->graph->offsets[node + 1]) {
            strong_leave(strong);
            continue;
        }
        const uint32_t next = strong->graph->neighbours[strong->edges[node]++];
        if (strong->numbers[next] == 0) {
            strong_enter(strong, next);
            if (strong->met % NODES_PER_CHECK == 0 && cancel_is_set(cancel)) {
                return false;
            }
        } else if (strong->components[next] == GRAPH_COMPONENT_NONE &&
                   strong->numbers[next] < strong->lowest[node]) {
            strong->lowest[node] = strong->numbers[next];
        }
    }
    return true;
}

static enum graph_components_outcome find_strong(const struct graph *graph, uint32_t *components,
                                                 uint32_t *count,
                                                 const volatile sig_atomic_t *cancel)
{
    const size_t limit = (size_t)graph->node_limit + 1;
    struct strong strong = {.graph = graph, .components = components};
    strong.numbers = calloc(limit, sizeof(*strong.numbers));
    strong.lowest = calloc(limit, sizeof(*strong.lowest));
    strong.edges = calloc(limit, sizeof(*strong.edges));
    strong.path = calloc(limit, sizeof(*strong.path));
    strong.open = calloc(limit, sizeof(*strong.open));
    const bool ready = strong.numbers != NULL && strong.lowest != NULL && strong.edges != NULL &&
                       strong.path != NULL && strong.open != NULL;
    bool goes_on = !cancel_is_set(cancel);
    for (uint32_t u = graph->first_node; ready && goes_on && u < graph->node_limit; u++) {
        if (strong.numbers[u] == 0) {
            goes_on = strong_search(&strong, u, cancel);
        }
    }
    pw_assert(!ready || !goes_on ||
              (strong.met == graph_node_count(graph) && strong.open_count == 0));
    *count = strong.closed;
    free(strong.numbers);
    free(strong.lowest);
    free(strong.edges);
    free(strong.path);
    free(strong.open);
    return !ready     ? GRAPH_COMPONENTS_NO_MEMORY
           : !goes_on ? GRAPH_COMPONENTS_CANCELLED
                      : GRAPH_COMPONENTS_DONE;
}

/* Weak components ----------------------------------------------------------------------- */

/* The smallest node of a set so far; parents lead to it. */
static uint32_t set_of(uint32_t *parents, uint32_t node)
{
    while (parents[node] != node) {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    return node;
}

static enum graph_components_outcome find_weak(const struct graph *graph, uint32_t *components,
                                               uint32_t *count, const volatile sig_atomic_t *cancel)
{
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        components[u] = u;
    }
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        if (u % NODES_PER_CHECK == 0 && cancel_is_set(cancel)) {
            return GRAPH_COMPONENTS_CANCELLED;
        }
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const uint32_t a = set_of(components, u), b = set_of(components, graph->neighbours[i]);
            components[a > b ? a : b] = a > b ? b : a;
        }
    }
    /* A parent is never larger than its node, so ascending nodes meet parents that have their
     * numbers. */
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        components[u] = components[u] == u ? (*count)++ : components[components[u]];
    }
    return GRAPH_COMPONENTS_DONE;
}

enum graph_components_outcome graph_components(const struct graph *graph,
                                               enum graph_connection connection,
                                               uint32_t *components, uint32_t *count,
                                               const volatile sig_atomic_t *cancel)
{
    *count = 0;
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        components[u] = GRAPH_COMPONENT_NONE;
    }
    return connection == GRAPH_STRONG ? find_strong(graph, components, count, cancel)
                                      : find_weak(graph, components, count, cancel);
}
