/*
 * search.h - breadth-first search from one node to another: the interface of an engine.
 *
 * An engine is a const table, defined in a separate file; bfs/engines/engines.h lists them.
 * Engines print nothing. All give the same found and hops: a path from a node to itself has at
 * least one edge, and a target without out-edges is found. A search ends early when its deadline
 * passes or *cancel becomes non-zero; its counts so far are kept and status says so.
 * A workspace serves one thread at a time.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/read/pairs.h"
#include <signal.h>

enum search_status {
    SEARCH_DONE,      /* found or not found: the answer is final */
    SEARCH_TIMED_OUT, /* the deadline passed; the counts go up to then */
    SEARCH_CANCELLED, /* *cancel was set */
    SEARCH_NO_MEMORY, /* an allocation failed; everything taken was given back */
    SEARCH_DIVERGED,  /* given up, because a replay met a different run */
    SEARCH_DAMAGED,   /* a block of the graph's file is bad: graph_is_damaged names it */
    SEARCH_STATUSES
};

#define SEARCH_HOPS_NONE     UINT32_MAX /* no path, or not known */
#define SEARCH_COUNT_UNKNOWN UINT64_MAX /* a count that the engine does not keep */

/*
 * Engines that advance a whole level at a time (SEARCH_LEVELS) count whole levels. visited and
 * expanded include the whole level in which the target is met; pushed and edges include nothing
 * reached from this level. So the counts do not depend on the number of threads.
 */
struct search_result {
    enum search_status status;
    bool found;
    uint32_t hops;         /* edges on a shortest path, at least 1; SEARCH_HOPS_NONE if not found */
    uint64_t visited;      /* nodes taken from the queue, as the challenge counts them: also the pop
                              that finds it empty, unless the node before was expanded */
    uint64_t expanded;     /* nodes marked visited, their neighbours scanned */
    uint64_t pushed;       /* queue pushes */
    uint64_t peak_queue;   /* most entries the queue held */
    uint64_t edges;        /* entries of adjacency lists examined */
    uint64_t elapsed_ns;   /* from before the queue is created until after it is deleted */
    uint64_t malloc_calls; /* calls of the registered functions in that time; */
    uint64_t free_calls;   /* the engine's caller fills in both */
};

/*
 * Called at the ends of the measured region, outside the two readings of the clock, in the thread
 * that searches. An engine that does not call them has no counters; the report then says so.
 */
struct search_region {
    void (*begin)(void *context);
    void (*end)(void *context);
    void *context;
};

struct search_limits {
    uint64_t timeout_ns;                 /* of each search; 0: no limit */
    uint64_t deadline_ns;                /* of all, by clock_now_ns; 0: no limit */
    const volatile sig_atomic_t *cancel; /* may be NULL */
    const struct search_region *region;  /* may be NULL */
};

enum search_flags {
    SEARCH_USES_LIST = 1,     /* its queue takes nodes from the list's allocator */
    SEARCH_NEEDS_REVERSE = 2, /* graph_add_reverse must have been called before create */
    SEARCH_LEVELS = 4,        /* counts whole levels, see struct search_result */
    SEARCH_EXACT_COUNTS = 8,  /* counts as the challenge's program does, to the last one */
    SEARCH_BY_BLOCK = 16,     /* asks graph_blocks.h before it reads a list. For the others a graph
                                 that is checked by block must have passed graph_allows_all. */
};

struct search_engine {
    const char *name;
    const char *summary; /* one line for --list-engines */
    const char *changes; /* compared with the engine "plain", one line */
    const char *keeps;   /* what it shares with "plain", one line */
    unsigned flags;      /* enum search_flags */
    /*
     * A workspace for searches on one graph, which must outlive it. from: NULL, or a workspace of
     * the engine for the same graph. The new one is for another thread, and shares from's constant
     * parts, so from must outlive it, too. NULL when out of memory, or without the reverse
     * adjacency that SEARCH_NEEDS_REVERSE requires.
     */
    void *(*create)(const struct graph *graph, const void *from);
    /* One search. source and target are nodes of the graph. result is filled in every case. */
    void (*search)(void *workspace, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct search_result *result);
    /*
     * The path that the last search found: result.hops + 1 nodes from source to target, into nodes,
     * which has room for capacity. False when the search found no path, when there is no room for
     * it, when the graph and its reverse adjacency contradict each other, or when out of memory
     * (errno is ENOMEM then and only then). It may be called again until the next search.
     */
    bool (*path)(void *workspace, uint32_t *nodes, size_t capacity);
    /*
     * Many searches at once, filling results; may be NULL: one search after the other. What the
     * searches share (time, counts) is divided evenly among them, so that sums are right.
     */
    void (*batch)(void *workspace, const struct pair *pairs, size_t count,
                  const struct search_limits *limits, struct search_result *results);
    /*
     * Let every search (or batch) from now on use that many threads, at least 1; may be NULL: a
     * search has one. False with errno set, and nothing changed, when the system has no room.
     */
    bool (*set_threads)(void *workspace, unsigned threads);
    /* True if the workspace is sound, between searches. Linear; for tests and debug builds. */
    bool (*check)(const void *workspace);
    void (*destroy)(void *workspace);
};
