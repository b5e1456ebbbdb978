/*
 * graph_shape.h - compares a graph with the real Wikipedia graph: degrees and search counts.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/read/pairs.h"
#include "graph_stats.h"
#include "published.h"

/* Published counts of the real graph: pushes are malloc calls less the two of the queue. */
#define SHAPE_QUEUE_CALLS 2.0 /* per search */
#define SHAPE_SEARCHES    100.0
/* The pushes of search 9, which is not found. */
#define SHAPE_REAL_WIDE_MISS (PUBLISHED_SEARCH_9_MALLOC_CALLS_FIRST - SHAPE_QUEUE_CALLS)
/* Highest queue peak of 100 searches: what a free list mallocs. */
#define SHAPE_REAL_PEAK (PUBLISHED_RUN_MALLOC_CALLS_SECOND - SHAPE_SEARCHES * SHAPE_QUEUE_CALLS)
/* Where searches 1 and 3 end, and what they have pushed then. */
#define SHAPE_REAL_POPPED_FIRST  ((double)PUBLISHED_SEARCH_1_VISITED_FIRST)
#define SHAPE_REAL_PUSHED_FIRST  (PUBLISHED_SEARCH_1_MALLOC_CALLS_FIRST - SHAPE_QUEUE_CALLS)
#define SHAPE_REAL_POPPED_SECOND ((double)PUBLISHED_SEARCH_3_VISITED_FIRST)
#define SHAPE_REAL_PUSHED_SECOND (PUBLISHED_SEARCH_3_MALLOC_CALLS_FIRST - SHAPE_QUEUE_CALLS)
#define SHAPE_REAL_PUSHED_TOTAL                                                                    \
    (PUBLISHED_RUN_MALLOC_CALLS_FIRST - SHAPE_SEARCHES * SHAPE_QUEUE_CALLS)

#define SHAPE_HOPS_LIMIT 64 /* longer paths are counted with this many hops */

struct graph_shape {
    struct graph_stats degrees;
    uint32_t small_rows; /* nodes with one to four out-edges */
    size_t searches;
    size_t found;
    size_t wide_misses;        /* not found after pushing more than half of all edges */
    uint64_t wide_miss_pushed; /* pushes of the largest of them */
    uint64_t pushed_total;     /* over all searches */
    uint64_t peak_queue_max;
    uint64_t pushed_at_first;  /* that search's pushes once 18.13 % of the edges were popped, */
    uint64_t pushed_at_second; /* and 26.85 %: where searches 1 and 3 ended in the real graph */
    size_t hops[SHAPE_HOPS_LIMIT + 1]; /* found searches, by number of hops */
};

/*
 * Measure a graph, and search every pair in it as the classic search does (its own rendering on an
 * array). progress: called with context after each search, or NULL. Takes 4 bytes per edge, 5 per
 * node. Returns false with error set when out of memory.
 */
bool graph_shape_measure(const struct graph *graph, const struct pairs *pairs,
                         void (*progress)(void *context, size_t done, size_t count), void *context,
                         struct graph_shape *shape, struct graph_error *error);
