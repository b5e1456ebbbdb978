/*
 * graph_reverse.h - the reverse adjacency of a graph in memory.
 */
#pragma once

#include "data/graph/graph.h"
#include <signal.h>

struct edge_writer;

/*
 * Build the reverse adjacency, unless there is one. Takes 4 bytes per edge and 8 per
 * node, and up to 6 per edge on the way. threads: 0 for one per processor. cancel: NULL, or a flag;
 * once it is not zero, the work ends. False with error set when out of memory or cancelled, the
 * graph unchanged. graph_free frees it.
 */
bool graph_add_reverse(struct graph *graph, unsigned threads, const volatile sig_atomic_t *cancel,
                       struct graph_error *error);

/*
 * Build the reverse adjacency of a graph that lacks one, in memory that a load has used before.
 * writers: one per thread, zeroed or used (used ones are emptied); the caller frees them.
 */
bool graph_reverse_build(struct graph *graph, struct edge_writer *writers, unsigned threads,
                         const volatile sig_atomic_t *cancel, struct graph_error *error);
