/*
 * all_distances.c - whole-graph answers from one walk by levels (walk.h): the distances of all
 * nodes, the levels themselves, and the number of nodes that one reaches. The plain search that
 * judges the engines is asked here, too.
 */
#include "bfs/engines/parts/distances.h"
#include "data/graph/parallel.h"
#include "held_search.h"
#include <stdlib.h>

bool pwgraph_search_threads(struct pwgraph_search *search, unsigned threads,
                            struct pwgraph_error *error)
{
    if (threads > PWGRAPH_THREADS_MAX) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "threads: at most %d",
                            PWGRAPH_THREADS_MAX);
    }
    search->threads = parallel_count(threads);
    return true;
}

/* True if the arguments of a walk are fine; else false with error set. */
static bool check(struct pwgraph_search *search, const uint32_t *nodes, size_t count,
                  enum pwgraph_direction direction, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    return pwgraph_are_nodes(graph, nodes, count, error) &&
           (direction == PWGRAPH_FROM || direction == PWGRAPH_TO ||
            pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%d is not a direction", (int)direction));
}

/* Walk as planned, around what the search avoids. The nodes reached stay in search->walk, if it is
 * there. False with error set if the walk ended early. */
static bool walk(struct pwgraph_search *search, struct walk_plan *plan, struct pwgraph_error *error)
{
    struct search_result result = {.status = SEARCH_NO_MEMORY};
    plan->avoided = search->paths.avoided;
    plan->avoided_count = search->paths.avoided_count;
    plan->limits = &search->limits;
    if (walk_prepare(&search->walk, &search->graph->graph, search->threads)) {
        walk_find(search->walk, plan, &result);
    }
    return pwgraph_conclude(search, &result, error);
}

bool pwgraph_search_distances(struct pwgraph_search *search, uint32_t node,
                              enum pwgraph_direction direction, uint32_t *hops, uint32_t *parents,
                              size_t capacity, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    if (!check(search, &node, 1, direction, error)) {
        return false;
    }
    if ((hops == NULL && parents == NULL) || capacity < graph->node_limit) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "distances need room for %lu nodes",
                            (unsigned long)graph->node_limit);
    }
    struct walk_plan plan = {.sources = &node,
                             .source_count = 1,
                             .is_backwards = direction == PWGRAPH_TO,
                             .hops_max = SEARCH_HOPS_NONE,
                             .parents = parents};
    const bool done = walk(search, &plan, error);
    if (search->walk != NULL && hops != NULL) {
        walk_write_hops(search->walk, hops);
    }
    return done;
}

bool pwgraph_search_levels(struct pwgraph_search *search, const uint32_t *nodes, size_t count,
                           enum pwgraph_direction direction, uint32_t hops_max,
                           enum pwgraph_level_order order, struct pwgraph_levels *levels,
                           struct pwgraph_error *error)
{
    *levels = (struct pwgraph_levels){0};
    if (!check(search, nodes, count, direction, error)) {
        return false;
    }
    if (order < PWGRAPH_ANY_ORDER || order > PWGRAPH_QUEUE_TREE) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%d is not an order", (int)order);
    }
    struct walk_plan plan = {.sources = nodes,
                             .source_count = count,
                             .is_backwards = direction == PWGRAPH_TO,
                             .hops_max = hops_max,
                             .order =
                                 order == PWGRAPH_ANY_ORDER ? WALK_ANY_ORDER : WALK_IN_QUEUE_ORDER,
                             .by_place = order == PWGRAPH_QUEUE_TREE};
    const bool done = walk(search, &plan, error);
    if (done || search->walk != NULL) {
        levels->level_count = walk_level_count(search->walk);
        levels->begins = walk_level_begins(search->walk);
        levels->nodes = walk_nodes(search->walk);
        levels->found_from = walk_found_from(search->walk);
    }
    return done;
}

bool pwgraph_search_judge(struct pwgraph_search *search, uint32_t node, uint32_t *hops,
                          struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    if (!check(search, &node, 1, PWGRAPH_FROM, error)) {
        return false;
    }
    struct distances distances = {
        .graph = graph, .hops = hops, .order = malloc((size_t)graph->node_limit * sizeof(*hops))};
    const struct distances_walk around = {.avoided = search->paths.avoided,
                                          .avoided_count = search->paths.avoided_count,
                                          .limits = &search->limits};
    struct search_result result = {.status = SEARCH_NO_MEMORY};
    if (distances.order != NULL) {
        distances_find_more(&distances, node, &around, &result);
    }
    free(distances.order);
    search->counts.code = pwgraph_code_of(result.status);
    return result.status == SEARCH_DONE || pwgraph_fail_status(search, search->counts.code, error);
}

bool pwgraph_search_reached(struct pwgraph_search *search, uint32_t node, uint64_t edges_max,
                            uint32_t *reached, struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    uint64_t count = 0;
    *reached = 0;
    if (!check(search, &node, 1, PWGRAPH_FROM, error)) {
        return false;
    }
    for (size_t i = 0; i < search->paths.avoided_count; i++) {
        if (search->paths.avoided[i] == node) {
            search->counts.code = PWGRAPH_OK;
            return true;
        }
    }
    if (edges_max >= graph->edge_count) {
        struct pwgraph_levels levels;
        const bool done = pwgraph_search_levels(search, &node, 1, PWGRAPH_FROM, PWGRAPH_NONE,
                                                PWGRAPH_ANY_ORDER, &levels, error);
        *reached = done ? (uint32_t)levels.begins[levels.level_count] : 0;
        return done;
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
