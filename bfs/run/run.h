/*
 * run.h - make the searches, trial after trial, and hand over each result.
 */
#pragma once

#include "bfs/search/search.h"
#include "inputs.h"
#include "search_counters.h"

/* One measured search. */
struct search_row {
    uint64_t trial;  /* from 1 */
    size_t search;   /* from 1: the place of the pair in its file */
    size_t position; /* from 0: the place among those selected */
    struct pair pair;
    struct search_result result;
    const char **path; /* what its hops + 1 nodes are called, valid while after runs; NULL: none, or
                          not asked for */
};

struct run_plan {
    const struct options *options; /* trials, warm-ups, paths, verify, what threads divide */
    const struct search_engine *engine;
    const struct inputs *inputs;
    const size_t *numbers; /* the searches to make, from 1 */
    size_t number_count;
    struct search_limits limits;
    unsigned threads;                 /* at least 1 */
    struct command_error *problem;    /* set to what is wrong */
    struct search_counters *counters; /* open; they hold what the last search was counted at */

    /* Called with context before a search (trial 0: a warm-up) and after a measured one.
     * Returning false ends the run. */
    void (*before)(void *context, uint64_t trial, size_t position);
    bool (*after)(void *context, const struct search_row *row);
    /*
     * A search ran out of memory. True: the allocator was given more, the search is to be made
     * again; with *from_start also, unreported, all searches before it.
     */
    bool (*no_memory)(void *context, bool *from_start);
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
 * Make the searches. setup_ns: how long the engine took to prepare its workspaces. wall_ns: how
 * long the trials took, which with several threads is less than their searches together.
 */
enum run_outcome run_searches(const struct run_plan *plan, uint64_t *setup_ns, uint64_t *wall_ns);
