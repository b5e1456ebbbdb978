/*
 * marks.h - a bit a node: visited, or nothing to visit there.
 *
 * 1. A node without out-edges is marked before the search begins, so that one test of one bit tells
 *    both; the bits of a few million nodes fit in a cache near the core.
 * 2. The engines that look at the target's mark after each row take it off first: a target without
 *    out-edges is found like any other.
 * 3. Taking the marks off again costs what the search touched, or one copy when that is less.
 */
#ifndef PW_MARKS_H
#define PW_MARKS_H

#include "data/graph/graph.h"
#include <string.h>

/* Words that hold a bit for every node of the graph, a multiple of a cache line. */
static inline size_t marks_words(const struct graph *graph)
{
    return ((size_t)graph->node_limit / 64 + 8) & ~(size_t)7;
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

static inline void marks_clear(uint64_t *marks, uint32_t node)
{
    marks[node / 64] &= ~marks_bit(node);
}

/* Marks, all off, or NULL. The caller frees them with marks_free. */
uint64_t *marks_create(const struct graph *graph);

/* Marks on the nodes without out-edges and on the ids that name no node, or NULL. */
uint64_t *marks_create_sinks(const struct graph *graph);

/* Marks on the nodes with edges both in and out, or NULL. Needs the reverse adjacency. */
uint64_t *marks_create_inner(const struct graph *graph);

void marks_free(uint64_t *marks);

/* Make marks equal to the template again, where only the words of these nodes may differ. */
void marks_reset(uint64_t *marks, const uint64_t *template, size_t words, const uint32_t *nodes,
                 size_t count);

#endif
