/*
 * pwgraph_hold.h - a graph that a program of this tree has loaded in its own way, for the functions
 * of pwgraph.h. Not installed.
 */
#pragma once

#include "pwgraph.h"

struct graph;

/*
 * The graph must stay unchanged and outlive what is returned, which pwgraph_free frees, but not the
 * graph; for a search it must have its reverse adjacency. options, or NULL: threads and
 * memory_limit are for the order of names, which is made when first needed. NULL with error set.
 */
struct pwgraph *pwgraph_hold(const struct graph *graph, const struct pwgraph_options *options,
                             struct pwgraph_error *error);
