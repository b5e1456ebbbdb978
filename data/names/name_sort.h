/*
 * name_sort.h - the order of all names and aliases, for name_order.h to search.
 */
#pragma once

#include "data/graph/graph.h"

/* Order the names of graph->origin. False when out of memory. */
bool name_order_make(struct graph *graph, unsigned threads);
