/*
 * graph_reverse.h - the reverse adjacency, in memory that a load has used already.
 */
#pragma once

#include "data/graph/edge_buckets.h"
#include "data/graph/graph.h"

/*
 * Fill in_offsets and in_neighbours of a graph that lacks them. writers: one per thread, zeroed, or
 * used before and then emptied; the caller frees them. False with error set when out of memory.
 */
bool graph_reverse_build(struct graph *graph, struct edge_writer *writers, unsigned threads,
                         struct graph_error *error);
