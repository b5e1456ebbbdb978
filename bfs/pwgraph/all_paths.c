/*
 * all_paths.c - all shortest paths of a pair, as the graph that they form, or one after the other.
 */
#include "base/cancel.h"
#include "held_search.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a caller sees, and what it points into. */
struct held_paths {
    struct pwgraph_paths shown; /* the first member, so that its address is the whole's */
    struct path_graph graph;
};

static enum pwgraph_code code_of(enum path_graph_outcome outcome,
                                 const struct search_result *result)
{
    return outcome == PATH_GRAPH_DONE          ? PWGRAPH_OK
           : outcome == PATH_GRAPH_CONTRADICTS ? PWGRAPH_BAD_INPUT
           : outcome == PATH_GRAPH_NO_MEMORY   ? PWGRAPH_NO_MEMORY
                                               : pwgraph_code_of(result->status);
}

/* True if the search's code is PWGRAPH_OK; else false with error set. */
static bool is_done(const struct pwgraph_search *search, struct pwgraph_error *error)
{
    const enum pwgraph_code code = search->counts.code;
    if (code == PWGRAPH_BAD_INPUT && !pwgraph_is_damaged(search->graph, error)) {
        return pwgraph_fail(error, PWGRAPH_BAD_INPUT,
                            "the two adjacencies of the graph contradict each other");
    }
    return code == PWGRAPH_OK || pwgraph_fail_status(search, code, error);
}

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
    return code_of(outcome, &result);
}

bool pwgraph_search_count(struct pwgraph_search *search, uint64_t edges_max,
                          uint64_t *count_at_most, const char **digits, struct pwgraph_error *error)
{
    const struct pair pair = search->pair;
    const uint32_t hops = search->result.hops;
    struct path_graph paths = {.hops = SEARCH_HOPS_NONE};
    struct search_result result = {.status = SEARCH_DONE};
    *count_at_most = 0;
    const char *unused;
    const char **text = digits != NULL ? digits : &unused;
    *text = NULL;
    if (!search->result.found) {
        search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "the last search found no path");
    }
    search->result.found = false; /* its path is gone */
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_NO_MEMORY};
    if (!pwgraph_open_paths(search) || !path_count_find(&search->paths, pair.source, pair.target,
                                                        hops, edges_max, count_at_most)) {
        return pwgraph_fail_status(search, PWGRAPH_NO_MEMORY, error);
    }
    search->counts.code = PWGRAPH_OK;
    if (pwgraph_is_damaged(search->graph, error)) {
        search->counts.code = PWGRAPH_BAD_INPUT;
        return false;
    }
    if (*count_at_most < UINT64_MAX) {
        snprintf(search->digits, sizeof(search->digits), "%llu",
                 (unsigned long long)*count_at_most);
        *text = *count_at_most > 0 ? search->digits : NULL;
        return true;
    }
    const enum path_graph_outcome outcome =
        path_graph_make(&paths, &search->paths, pair.source, pair.target, &search->limits, &result);
    if (outcome == PATH_GRAPH_DONE) {
        memcpy(search->digits, paths.count, sizeof(search->digits));
        *text = search->digits;
    }
    path_graph_free(&paths);
    search->counts.code = code_of(outcome, &result);
    return is_done(search, error);
}

struct pwgraph_paths *pwgraph_search_longer_paths(struct pwgraph_search *search, uint32_t source,
                                                  uint32_t target, uint32_t longer,
                                                  struct pwgraph_error *error)
{
    const struct graph *graph = &search->graph->graph;
    search->counts = (struct pwgraph_counts){.code = PWGRAPH_BAD_ARGUMENT};
    search->result.found = false; /* the path of the last search is gone */
    if (!pwgraph_are_nodes(graph, (const uint32_t[]){source, target}, 2, error)) {
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
    if (!is_done(search, error) || held == NULL) {
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

bool pwgraph_paths_walk(const struct pwgraph_paths *paths, uint64_t limit,
                        bool (*visit)(void *context, const uint32_t *nodes, uint32_t hops),
                        void *context)
{
    return path_graph_walk(&((const struct held_paths *)paths)->graph, limit, visit, context);
}

/* The rows that are being written. */
struct rows {
    uint32_t *nodes;
    uint64_t count;
};

static bool write_row(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct rows *rows = context;
    const size_t width = (size_t)hops + 1;
    memcpy(rows->nodes + rows->count++ * width, nodes, width * sizeof(*nodes));
    return true;
}

uint64_t pwgraph_paths_list(const struct pwgraph_paths *paths, uint64_t limit, uint32_t *nodes,
                            size_t capacity)
{
    struct rows rows = {.nodes = nodes};
    if (paths->hops == PWGRAPH_NONE || nodes == NULL) {
        return 0;
    }
    const uint64_t room = capacity / ((size_t)paths->hops + 1);
    pwgraph_paths_walk(paths, limit < room ? limit : room, write_row, &rows);
    return rows.count;
}
