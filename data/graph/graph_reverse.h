/*
 * graph_reverse.h - the reverse adjacency, in memory that a load has used already.
 */
#ifndef PW_GRAPH_REVERSE_H
#define PW_GRAPH_REVERSE_H

#include "edge_buckets.h"

/*
 * Fill in_offsets and in_neighbours of a graph that lacks them, on threads threads. writers: one a
 * thread, zeroed, or used before and then emptied; the caller frees them. Returns false with error
 * set when out of memory.
 */
bool graph_reverse_build(struct graph *graph, struct edge_writer *writers, unsigned threads,
                         struct graph_error *error);

#endif
