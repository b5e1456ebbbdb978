/*
 * all_paths.c - all shortest paths of a pair, as the graph that they form, or one after the other.
 */
#include "base/cancel.h"
#include "bfs/pwgraph/paths/path_graph.h"
#include "held_search.h"
#include <stdlib.h>
#include <string.h>

/* What a caller sees, and what it points into. */
struct held_paths {
    struct pwgraph_paths shown; /* the first member, so that its address is the whole's */
    struct path_graph graph;
};

/* Search for the paths. The code says how it ended. */
static enum pwgraph_code make(struct pwgraph_search *search, uint32_t source, uint32_t target,
                              uint32_t longer, struct path_graph *graph)
{
    struct search_result result = {.status = SEARCH_DONE};
    if (cancel_is_set(search->limits.cancel)) {
        return PWGRAPH_CANCELLED;
    }
    if (!pwgraph_open_paths(search)) {
        return PWGRAPH_NO_MEMORY;
    }
    const enum path_graph_outcome outcome = path_graph_make_longer(
        graph, &search->paths, source, target, longer, &search->limits, &result);
    pwgraph_count_result(&search->counts, &result);
    return outcome == PATH_GRAPH_DONE          ? PWGRAPH_OK
           : outcome == PATH_GRAPH_CONTRADICTS ? PWGRAPH_BAD_INPUT
           : outcome == PATH_GRAPH_NO_MEMORY   ? PWGRAPH_NO_MEMORY
                                               : pwgraph_code_of(result.status);
}

struct pwgraph_paths *pwgraph_search_longer_paths(struct pwgraph_search *search, uint32_t source,
                                                  uint32_t target, uint32_t longer,
                                                  struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if (!graph_has_node(graph, source) || !graph_has_node(graph, target)) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "%lu is not a node of the graph",
                     (unsigned long)(graph_has_node(graph, source) ? target : source));
        return NULL;
    }
    if (longer > PATH_LONGER_MAX) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "paths can be longer by %u at most",
                     (unsigned)PATH_LONGER_MAX);
        return NULL;
    }
    struct held_paths *held = calloc(1, sizeof(*held));
    search->counts.code =
        held != NULL ? make(search, source, target, longer, &held->graph) : PWGRAPH_NO_MEMORY;
    if (search->counts.code == PWGRAPH_BAD_INPUT && !pwgraph_is_damaged(search->graph, error)) {
        pwgraph_fail(error, PWGRAPH_BAD_INPUT,
                     "the snapshot's two adjacencies contradict each other");
    } else if (search->counts.code != PWGRAPH_OK && search->counts.code != PWGRAPH_BAD_INPUT) {
        pwgraph_fail_status(search, search->counts.code, error);
    }
    if (search->counts.code != PWGRAPH_OK) {
        pwgraph_paths_free(held != NULL ? &held->shown : NULL);
        return NULL;
    }
    const struct path_graph *made = &held->graph;
    held->shown = (struct pwgraph_paths){.hops = made->hops,
                                         .node_count = made->node_count,
                                         .nodes = made->nodes,
                                         .levels = made->levels,
                                         .link_begins = made->begins,
                                         .links = made->links,
                                         .count = made->count,
                                         .count_at_most = made->count_at_most};
    return &held->shown;
}

struct pwgraph_paths *pwgraph_search_all_paths(struct pwgraph_search *search, uint32_t source,
                                               uint32_t target, struct pwgraph_error *error)
{
    return pwgraph_search_longer_paths(search, source, target, 0, error);
}

void pwgraph_paths_free(struct pwgraph_paths *paths)
{
    struct held_paths *held = (struct held_paths *)paths;
    if (held != NULL) {
        path_graph_free(&held->graph);
        free(held);
    }
}

/* The rows that are being written. */
struct rows {
    uint32_t *nodes;
    uint64_t count;
};

static void write_row(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct rows *rows = context;
    const size_t width = (size_t)hops + 1;
    memcpy(rows->nodes + rows->count++ * width, nodes, width * sizeof(*nodes));
}

uint64_t pwgraph_paths_list(const struct pwgraph_paths *paths, uint64_t limit, uint32_t *nodes,
                            size_t capacity)
{
    const struct held_paths *held = (const struct held_paths *)paths;
    struct rows rows = {.nodes = nodes};
    if (paths->hops == PWGRAPH_NONE || nodes == NULL) {
        return 0;
    }
    const uint64_t room = capacity / ((size_t)paths->hops + 1);
    path_graph_walk(&held->graph, limit < room ? limit : room, write_row, &rows);
    return rows.count;
}
