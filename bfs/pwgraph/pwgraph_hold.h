/*
 * pwgraph_hold.h - what pwgraph.h has for programs of this tree only: a graph that they have loaded
 * in their own way, and a judge of the engines. Not installed.
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

/*
 * Find all distances from a node as pwgraph_search_distances does, but by a plain search, which
 * shares nothing with the engines. hops has node_limit entries.
 */
bool pwgraph_search_judge(struct pwgraph_search *search, uint32_t node, uint32_t *hops,
                          struct pwgraph_error *error);
