/*
 * challenge_layout.h - the search as the challenge's program lays it out, to be measured against.
 *
 * A rendering of our own: one heap-allocated row struct and one grown array a node, filled in the
 * order of the published file (by target), a visited flag in the row, and a queue of list nodes
 * that are each malloc'ed at the push and freed at the pop. For benchmarks only.
 */
#ifndef PW_CHALLENGE_LAYOUT_H
#define PW_CHALLENGE_LAYOUT_H

#include "bfs/search/search.h"

struct challenge_graph;

/* A graph without edges, and one more edge. NULL and false when out of memory. */
struct challenge_graph *challenge_graph_begin(uint32_t node_limit);
bool challenge_graph_add(struct challenge_graph *graph, uint32_t source, uint32_t target);

/* Copy a graph whose rows are in ascending order into that layout; NULL when out of memory. */
struct challenge_graph *challenge_graph_create(const struct graph *graph);

/* One classic search; the flags are cleared outside the time. result as from an engine. */
void challenge_search(struct challenge_graph *graph, uint32_t source, uint32_t target,
                      struct search_result *result);

#endif
