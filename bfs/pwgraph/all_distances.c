/*
 * all_distances.c - the distances of all nodes, by the plain walk that also judges the engines; and
 * the number of nodes that one reaches.
 */
#include "bfs/engines/parts/distances.h"
#include "bfs/engines/parts/large_block.h"
#include "held_search.h"

bool pwgraph_search_distances(struct pwgraph_search *search, uint32_t node,
                              enum pwgraph_direction direction, uint32_t *hops, uint32_t *parents,
                              size_t capacity, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if (!graph_has_node(graph, node)) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%lu is not a node of the graph",
                            (unsigned long)node);
    }
    if (direction != PWGRAPH_FROM && direction != PWGRAPH_TO) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%d is not a direction", (int)direction);
    }
    if (hops == NULL || capacity < graph->node_limit) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "distances need room for %lu nodes",
                            (unsigned long)graph->node_limit);
    }
    if (search->order == NULL) {
        search->order = large_block_create(((size_t)graph->node_limit + 1) * sizeof(uint32_t));
    }
    search->counts.code = PWGRAPH_NO_MEMORY;
    if (search->order == NULL) {
        return pwgraph_fail_status(search, PWGRAPH_NO_MEMORY, error);
    }
    struct distances distances = {.graph = graph, .hops = hops, .order = search->order};
    const struct distances_walk walk = {.is_backwards = direction == PWGRAPH_TO,
                                        .parents = parents,
                                        .avoided = search->paths.avoided,
                                        .avoided_count = search->paths.avoided_count,
                                        .limits = &search->limits};
    struct search_result result;
    distances_find_more(&distances, node, &walk, &result);
    pwgraph_count_result(&search->counts, &result);
    search->counts.code = pwgraph_code_of(result.status);
    return result.status == SEARCH_DONE || pwgraph_fail_status(search, search->counts.code, error);
}

/* Count the nodes reached by the walk that finds all distances. */
static bool count_all(struct pwgraph_search *search, uint32_t node, uint32_t *reached,
                      struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    uint32_t *hops = large_block_create(((size_t)graph->node_limit + 1) * sizeof(*hops));
    if (hops == NULL) {
        search->counts.code = PWGRAPH_NO_MEMORY;
        return pwgraph_fail_status(search, PWGRAPH_NO_MEMORY, error);
    }
    const bool found =
        pwgraph_search_distances(search, node, PWGRAPH_FROM, hops, NULL, graph->node_limit, error);
    for (uint32_t i = graph->first_node; found && i < graph->node_limit; i++) {
        *reached += hops[i] != PWGRAPH_NONE;
    }
    large_block_free(hops);
    return found;
}

bool pwgraph_search_reached(struct pwgraph_search *search, uint32_t node, uint64_t edges_max,
                            uint32_t *reached, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    uint64_t count = 0;
    *reached = 0;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if (!graph_has_node(graph, node)) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%lu is not a node of the graph",
                            (unsigned long)node);
    }
    for (size_t i = 0; i < search->paths.avoided_count; i++) {
        if (search->paths.avoided[i] == node) {
            search->counts.code = PWGRAPH_OK;
            return true;
        }
    }
    if (edges_max >= graph->edge_count) {
        return count_all(search, node, reached, error);
    }
    search->counts.code = PWGRAPH_NO_MEMORY;
    if (!pwgraph_open_paths(search) || !path_count_reach(&search->paths, node, edges_max, &count)) {
        return pwgraph_fail_status(search, PWGRAPH_NO_MEMORY, error);
    }
    *reached = (uint32_t)count;
    search->counts.code = PWGRAPH_OK;
    if (pwgraph_is_damaged(search->graph, error)) {
        search->counts.code = PWGRAPH_BAD_INPUT;
        return false;
    }
    return true;
}
