/*
 * marks.h - one bit per node: visited, or nothing to visit there.
 *
 * 1. A node without out-edges is marked before the search starts, so that one bit answers two
 *    questions; the bits of a few million nodes fit in a cache near the core.
 * 2. The engines that look at the target's mark clear it first: a target without out-edges is found
 *    like any other.
 */
#pragma once

#include "base/macros.h"
#include "data/graph/graph.h"
#include <string.h>

/* Words that hold a bit for every node of the graph, a multiple of a cache line. */
static inline size_t marks_words(const struct graph *graph)
{
    const size_t line = CACHE_LINE_BYTES / sizeof(uint64_t);
    return ((size_t)graph->node_limit / 64 + line) & ~(line - 1);
}

static inline uint64_t marks_bit(uint32_t node)
{
    return (uint64_t)1 << (node & 63);
}

static inline bool marks_test(const uint64_t *marks, uint32_t node)
{
    return marks[node / 64] >> (node & 63) & 1;
}

static inline void marks_set(uint64_t *marks, uint32_t node)
{
    marks[node / 64] |= marks_bit(node);
}

/* Set a mark that other threads may set at the same time. True if this call has set it. */
static inline bool marks_claim(uint64_t *marks, uint32_t node)
{
    const uint64_t bit = marks_bit(node);
    uint64_t *word = &marks[node / 64];
    return (__atomic_load_n(word, __ATOMIC_RELAXED) & bit) == 0 &&
           (__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit) == 0;
}

static inline void marks_clear(uint64_t *marks, uint32_t node)
{
    marks[node / 64] &= ~marks_bit(node);
}

/* Empty marks, or NULL. The caller frees them with large_block_free. */
uint64_t *marks_create(const struct graph *graph);

/* Marks on the nodes without out-edges and on the ids that name no node, or NULL. */
uint64_t *marks_create_sinks(const struct graph *graph);

/* Marks on the nodes with edges both in and out, or NULL. Needs the reverse adjacency. */
uint64_t *marks_create_inner(const struct graph *graph);

/* The bits set in some words. */
size_t marks_count(const uint64_t *marks, size_t words);
