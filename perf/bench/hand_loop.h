/*
 * hand_loop.h - the array search written out by hand, without limits, levels or paths, to measure
 * the engine "array" against. For benchmarks only.
 */
#ifndef PW_HAND_LOOP_H
#define PW_HAND_LOOP_H

#include "bfs/search/search.h"

struct hand_loop;

struct hand_loop *hand_loop_create(const struct graph *graph);
void hand_loop_destroy(struct hand_loop *loop);

/* found, hops, expanded, edges and elapsed_ns of one search. */
void hand_loop_search(struct hand_loop *loop, uint32_t source, uint32_t target,
                      struct search_result *result);

#endif
