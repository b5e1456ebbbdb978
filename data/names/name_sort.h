/*
 * name_sort.h - makes the order of all names and aliases, for name_order.h to search.
 *
 * Cost: 5 million names take a second and 100 MB.
 */
#pragma once

#include "data/graph/graph.h"
#include <signal.h>

/* The order, which the caller frees. cancel: not zero: give up; or NULL. NULL when out of memory,
 * or cancelled. */
uint32_t *name_sort(const struct graph *graph, unsigned threads,
                    const volatile sig_atomic_t *cancel);

/* Make the order a part of graph->origin, for its snapshot. False when out of memory. */
bool name_order_make(struct graph *graph, unsigned threads);

/* The most bytes that making the order takes, but for one bucket of names. */
uint64_t name_sort_memory(const struct graph *graph);
