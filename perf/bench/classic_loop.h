/*
 * classic_loop.h - the challenge's search as loops written by hand: the engine "classic" with a
 * private list.
 *
 * 1. The list is private: 16-byte nodes from one mapping, carved side by side and never given back.
 *    The last link already points to the place of the next node, so that a push repairs no link.
 * 2. Method "node": two pointers run along the list, each at a fixed number of nodes from the head.
 *    They fetch the offsets and the neighbours of unmarked nodes.
 * 3. Method "batch": unmarked nodes are found eight at a time, without a branch per node. Per node
 *    expanded, the neighbours of one node of the next batch are fetched.
 * Which is faster depends on the processor: classic_loop_calibrate tries both. Every count is the
 * challenge's. No deadline, no path, no allocator.
 */
#pragma once

#include "data/graph/graph.h"

/* A bit per node, for this search and for the other loops. */
struct loop_marks {
    size_t words;
    uint64_t *now, *sinks; /* the marked nodes; the nodes marked from the start: no out-edges */
};

static inline bool is_marked(const uint64_t *marks, uint32_t node)
{
    return marks[node / 64] >> node % 64 & 1;
}

static inline void mark(uint64_t *marks, uint32_t node)
{
    marks[node / 64] |= (uint64_t)1 << node % 64;
}

/* False when out of memory; close them in any case. */
bool loop_marks_open(struct loop_marks *marks, const struct graph *graph);
void loop_marks_close(struct loop_marks *marks);

struct classic_loop_node; /* as the list's */

struct classic_loop {
    const struct graph *graph;
    struct loop_marks marks;
    struct classic_loop_node *nodes;
    size_t bytes; /* of the nodes */
    bool in_batches;
    /* The search under way. */
    uint32_t target;
    uint32_t level;
    uint64_t pops, pushed, expanded, level_end;
};

struct loop_answer {
    bool found;
    uint32_t hops; /* if found */
    uint64_t visited, expanded, pushed, elapsed_ns;
};

/* Zeroed before. False when out of memory; close it in any case. */
bool classic_loop_open(struct classic_loop *loop, const struct graph *graph);
void classic_loop_close(struct classic_loop *loop);

struct loop_answer classic_loop_search(struct classic_loop *loop, uint32_t source, uint32_t target);

/* Keep the method that was faster for this pair. */
void classic_loop_calibrate(struct classic_loop *loop, uint32_t source, uint32_t target);
