/*
 * search.h - breadth-first search from one node to another: the engines and what they report.
 *
 * An engine is a static const table; its file exports one getter and the registry in search.c lists
 * them. Engines print nothing. A search is cut short when its deadline passes or *cancel becomes
 * non-zero; its counts so far are kept and status says so.
 */
#ifndef PW_SEARCH_H
#define PW_SEARCH_H

#include "graph.h"
#include <signal.h>

enum search_status {
    SEARCH_DONE,      /* found or not found: the answer stands */
    SEARCH_TIMED_OUT, /* the deadline passed; the counts are those so far */
    SEARCH_CANCELLED, /* *cancel was set */
    SEARCH_NO_MEMORY, /* an allocation failed; everything taken was given back */
};

#define SEARCH_HOPS_NONE UINT32_MAX /* no path, or not known */

struct search_result {
    enum search_status status;
    bool found;
    uint32_t hops;       /* edges on a shortest path, at least 1; SEARCH_HOPS_NONE if not found */
    uint64_t visited;    /* nodes taken from the queue, as the challenge counts them */
    uint64_t expanded;   /* nodes marked visited, their rows scanned */
    uint64_t pushed;     /* queue pushes */
    uint64_t peak_queue; /* most entries the queue held */
    uint64_t elapsed_ns; /* from before the queue is created until after it is deleted */
    uint64_t
        malloc_calls; /* calls of the registered functions in that time; filled by the driver */
    uint64_t free_calls;
};

struct search_limits {
    uint64_t timeout_ns;                 /* 0: none */
    const volatile sig_atomic_t *cancel; /* may be NULL */
};

struct search_engine {
    const char *name;
    const char *summary; /* one line for --list-engines */
    /*
     * Prepare a workspace for searches on one graph (marks, templates); NULL when out of memory.
     * The graph must outlive it.
     */
    void *(*create)(const struct graph *graph);
    /* One search. source and target are nodes of the graph. result is filled in every case. */
    void (*search)(void *workspace, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct search_result *result);
    void (*destroy)(void *workspace);
};

/* The engine of that name, or NULL. */
const struct search_engine *search_engine_find(const char *name);

/* All engines, ended by NULL. */
const struct search_engine *const *search_engines(void);

#endif
