/*
 * held_search.h - a search of the library, which pwgraph.h hides.
 */
#pragma once

#include "bfs/engines/parts/walk.h"
#include "bfs/pwgraph/paths/path_graph.h"
#include "held_graph.h"

struct pwgraph_search {
    const struct pwgraph *graph;
    const struct search_engine *engine;
    void *workspace;
    struct search_limits limits;
    struct path_count paths; /* opened for the first node to avoid */
    bool avoids;
    bool used_paths;   /* the last search of a pair did, and not the engine */
    unsigned threads;  /* of a walk */
    struct walk *walk; /* for whole-graph answers; NULL until needed */
    struct pair pair;  /* of the last run */
    struct search_result result;
    struct pwgraph_counts counts;
    char digits[PATH_COUNT_SIZE]; /* the last number of paths */
};

/* Make search->paths ready. False when out of memory. */
bool pwgraph_open_paths(struct pwgraph_search *search);

/* True if all of these are nodes of the graph; else false with error set. */
bool pwgraph_are_nodes(const struct graph *graph, const uint32_t *nodes, size_t count,
                       struct pwgraph_error *error);

enum pwgraph_code pwgraph_code_of(enum search_status status);

/* Set error to why the search ended early. Returns false. */
bool pwgraph_fail_status(const struct pwgraph_search *search, enum pwgraph_code code,
                         struct pwgraph_error *error);

/* Add what a search looked at. */
void pwgraph_count_result(struct pwgraph_counts *counts, const struct search_result *result);

/* End a question with the result of its search: add what it looked at, and set the code. False with
 * error set if the search ended early. */
bool pwgraph_conclude(struct pwgraph_search *search, const struct search_result *result,
                      struct pwgraph_error *error);
