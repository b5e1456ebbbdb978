/*
 * run.h - makes the searches, trial after trial, and hands over each result.
 *
 * A run knows only its plan; its caller fills it as its own user wishes.
 */
#pragma once

#include "base/program/command_error.h"
#include "bfs/search/search.h"

/* One measured search. */
struct search_row {
    uint64_t trial;  /* from 1 */
    size_t search;   /* from 1: the place of the pair among all pairs */
    size_t position; /* from 0: the place among the selected ones */
    struct pair pair;
    struct search_result result;
    const char **path; /* the names of its hops + 1 nodes, valid during after; NULL: none, or not
                          requested */
    uint32_t *nodes;   /* the same nodes, or NULL */
};

/* The counters around each search, one search at a time. */
struct run_meter {
    struct search_region region; /* its edges, marked by the engine; its context is for all */
    size_t passes;               /* how often each search is made, at least 1: groups of counters
                                    that exclude each other are counted in turn */
    bool is_untimed;             /* times mean nothing: the processor is simulated */
    void (*before)(void *context, size_t pass); /* from 0 */
    void (*after)(void *context, const struct search_result *result);
};

/* How several threads divide the work. An engine that takes a batch gets all of it. */
enum run_division {
    RUN_DIVIDE_PAIRS,  /* each thread runs whole searches */
    RUN_DIVIDE_SEARCH, /* all threads work on one search, if the engine can */
};

/* Nodes that no path may have. */
struct run_avoided {
    const void *like; /* a workspace from which the engine takes them; NULL: no node to avoid */
    const uint32_t *nodes; /* for the check of the answers */
    size_t count;
};

struct run_plan {
    const struct search_engine *engine;
    const struct graph *graph;
    const struct pair *pairs;
    const size_t *numbers; /* the searches to make: places in pairs, from 1 */
    size_t number_count;
    uint64_t trials;  /* reported */
    uint64_t warmups; /* passes over all searches before them, not reported */
    struct search_limits limits;
    unsigned threads; /* at least 1 */
    enum run_division division;
    bool pin; /* each thread on its own processor */
    struct run_avoided avoided;
    bool paths;  /* check the path of every answer, and hand it over in its row */
    bool verify; /* compare every answer with a plain search, and check its path */
    struct run_meter meter;
    struct command_error *problem; /* set to the error */

    /* Wait for the next pair, if pairs come one after the other: numbers are not used, and there is
     * one trial, in one thread. False if there are no more. NULL: all are in pairs. */
    bool (*next)(void *context, struct pair *pair);

    /* Called with context before a search (trial 0: a warm-up) and after a measured one.
     * Returning false ends the run. */
    void (*before)(void *context, uint64_t trial, size_t position);
    bool (*after)(void *context, const struct search_row *row);
    void *context;
};

enum run_outcome {
    RUN_COMPLETE,
    RUN_INTERRUPTED, /* *limits.cancel was set */
    RUN_STOPPED,     /* after returned false */
    RUN_WRONG,       /* an answer or its path is wrong, see plan.problem */
    RUN_NO_THREADS,  /* the threads could not be started; no search was made */
    RUN_NO_MEMORY,   /* the engine's workspace does not fit; no search was made */
};

/*
 * True if the plan makes all its searches as one batch of the engine: the engine takes batches, and
 * no path is requested, because a batch keeps none.
 */
static inline bool run_is_batch(const struct search_engine *engine, bool paths)
{
    return engine->batch != NULL && !paths;
}

/*
 * Make the searches. setup_ns: the time to prepare the engine's workspaces. wall_ns: the time of
 * the trials; with several threads it is less than the sum of their searches.
 */
enum run_outcome run_searches(const struct run_plan *plan, uint64_t *setup_ns, uint64_t *wall_ns);
