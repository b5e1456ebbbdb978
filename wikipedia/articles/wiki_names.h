/*
 * wiki_names.h - the names of the nodes and their aliases, from the titles of the pages.
 */
#pragma once

#include "data/graph/graph.h"
#include "wiki_state.h"

/*
 * Make names from the titles of nodes, aliases from the titles of redirects to a node, and sort
 * them; keep the page ids. All redirects must have been followed. They go to graph->names and
 * graph->origin, and graph_free frees them, after a failure too. False when out of memory.
 */
bool wiki_names_make(struct graph *graph, const struct wiki_state *state, unsigned threads);
