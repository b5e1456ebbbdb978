/*
 * component_diameter.c - diameter, radius and a centre of the largest strong component.
 */
#include "bfs/pwgraph/paths/diameter.h"
#include "bfs/search/search_limits.h"
#include "data/graph/graph_blocks.h"
#include "data/make/graph_components.h"
#include "held_search.h"
#include <stdlib.h>

/* Number the strong components. *largest: one with the most nodes; *nodes: how many it has. */
static enum search_status find_component(const struct graph *graph, uint32_t *components,
                                         const volatile sig_atomic_t *cancel, uint32_t *largest,
                                         uint32_t *nodes)
{
    uint32_t count = 0;
    const enum graph_components_outcome outcome =
        graph_components(graph, GRAPH_STRONG, components, &count, cancel);
    if (outcome == GRAPH_COMPONENTS_CANCELLED) {
        return SEARCH_CANCELLED;
    }
    uint32_t *sizes =
        outcome == GRAPH_COMPONENTS_DONE && count > 0 ? calloc(count, sizeof(*sizes)) : NULL;
    if (sizes == NULL) {
        return SEARCH_NO_MEMORY;
    }
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        const uint32_t component = components[u];
        if (++sizes[component] > *nodes) {
            *nodes = sizes[component];
            *largest = component;
        }
    }
    free(sizes);
    return SEARCH_DONE;
}

/* Find the component and all that is asked about it, within the limits of the search. */
static void find(struct pwgraph_search *search, uint32_t *least, struct pwgraph_diameter *found,
                 struct search_result *result)
{
    const struct graph *graph = &search->graph->graph;
    uint32_t largest = 0, nodes = 0;
    uint32_t *components = malloc(((size_t)graph->node_limit + 1) * sizeof(*components));
    struct search_clock clock;
    search_start(&clock, &search->limits, result);
    const struct search_limits limits = search_limits_of_part(&clock);
    result->status = SEARCH_NO_MEMORY;
    if (components != NULL && walk_prepare(&search->walk, graph, search->threads)) {
        result->status = find_component(graph, components, clock.limits.cancel, &largest, &nodes);
    }
    if (result->status == SEARCH_DONE) {
        const struct diameter_plan plan = {.components = components,
                                           .component = largest,
                                           .walk = search->walk,
                                           .limits = &limits};
        struct diameter known = {0};
        diameter_find(graph, &plan, least, &known, result);
        if (result->status != SEARCH_NO_MEMORY) {
            *found = (struct pwgraph_diameter){.nodes = nodes,
                                               .diameter_min = known.diameter_min,
                                               .diameter_max = known.diameter_max,
                                               .radius_min = known.radius_min,
                                               .radius_max = known.radius_max,
                                               .center = known.center,
                                               .from = known.from,
                                               .to = known.to,
                                               .walks = known.walks};
        }
    }
    free(components);
    search_finish(&clock, result);
}

bool pwgraph_search_diameter(struct pwgraph_search *search, struct pwgraph_diameter *found,
                             uint32_t *least, size_t capacity, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    *found =
        (struct pwgraph_diameter){.center = PWGRAPH_NONE, .from = PWGRAPH_NONE, .to = PWGRAPH_NONE};
    if (search->paths.avoided_count > 0) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                            "diameter: of the whole graph, and this search avoids nodes");
    }
    if (least != NULL && capacity < graph->node_limit) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "diameter: expected room for %lu numbers",
                            (unsigned long)graph->node_limit);
    }
    struct search_result result = {.status = SEARCH_DAMAGED};
    for (uint32_t u = 0; least != NULL && u < graph->node_limit; u++) {
        least[u] = PWGRAPH_NONE;
    }
    if (graph_node_count(graph) == 0) {
        result.status = SEARCH_DONE;
    } else if (graph_allows_all(graph)) {
        find(search, least, found, &result);
    }
    if (result.status == SEARCH_DONE &&
        (found->diameter_min != found->diameter_max || found->radius_min != found->radius_max)) {
        search->counts.code = PWGRAPH_BAD_INPUT;
        return pwgraph_fail(error, PWGRAPH_BAD_INPUT,
                            "the snapshot's two adjacencies contradict each other");
    }
    return pwgraph_conclude(search, &result, error);
}
