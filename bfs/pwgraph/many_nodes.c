/*
 * many_nodes.c - what each of many nodes reaches, and how many shortest paths from many nodes pass
 * each node.
 */
#include "bfs/pwgraph/paths/betweenness.h"
#include "bfs/pwgraph/paths/reach.h"
#include "data/graph/graph_blocks.h"
#include "held_search.h"

_Static_assert(sizeof(struct pwgraph_reach) == sizeof(struct reach) &&
                   offsetof(struct pwgraph_reach, farness) == offsetof(struct reach, farness) &&
                   offsetof(struct pwgraph_reach, harmonic) == offsetof(struct reach, harmonic) &&
                   offsetof(struct pwgraph_reach, eccentricity) ==
                       offsetof(struct reach, eccentricity) &&
                   offsetof(struct pwgraph_reach, reached) == offsetof(struct reach, reached),
               "the caller's array is written in place");

/* False with error set if one of the arguments breaks the rules. */
static bool check(const struct graph *graph, const uint32_t *nodes, size_t count,
                  enum pwgraph_direction direction, const struct pwgraph_reach *reach,
                  struct pwgraph_error *error)
{
    if (count > 0 && (nodes == NULL || reach == NULL)) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "reach: expected two arrays");
    }
    if (direction != PWGRAPH_FROM && direction != PWGRAPH_TO) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "direction: expected from or to");
    }
    return pwgraph_are_nodes(graph, nodes, count, error);
}

bool pwgraph_search_reach(struct pwgraph_search *search, const uint32_t *nodes, size_t count,
                          enum pwgraph_direction direction, struct pwgraph_reach *reach,
                          struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if (!check(graph, nodes, count, direction, reach, error)) {
        return false;
    }
    const struct reach_plan plan = {.is_backwards = direction == PWGRAPH_TO,
                                    .avoided = search->paths.avoided,
                                    .avoided_count = search->paths.avoided_count,
                                    .limits = &search->limits,
                                    .walk = &search->walk,
                                    .threads = search->threads};
    struct search_result result;
    reach_find(graph, nodes, count, &plan, (struct reach *)reach, &result);
    return pwgraph_conclude(search, &result, error);
}

bool pwgraph_search_betweenness(struct pwgraph_search *search, const uint32_t *sources,
                                size_t count, enum pwgraph_ends ends, double *sums, size_t capacity,
                                struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if ((count > 0 && sources == NULL) || (graph->node_limit > 0 && sums == NULL) ||
        capacity < graph->node_limit) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT,
                            "betweenness: expected sources, and room for %lu numbers",
                            (unsigned long)graph->node_limit);
    }
    if (ends != PWGRAPH_WITHOUT_ENDS && ends != PWGRAPH_WITH_ENDS) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "ends: expected with or without");
    }
    if (!pwgraph_are_nodes(graph, sources, count, error)) {
        return false;
    }
    const struct betweenness_plan plan = {.sources = sources,
                                          .source_count = count,
                                          .with_ends = ends == PWGRAPH_WITH_ENDS,
                                          .threads = search->threads,
                                          .avoided = search->paths.avoided,
                                          .avoided_count = search->paths.avoided_count,
                                          .limits = &search->limits};
    struct search_result result = {.status = SEARCH_DAMAGED};
    if (graph_allows_all(graph)) {
        betweenness_find(graph, &plan, sums, &result);
    }
    return pwgraph_conclude(search, &result, error);
}
