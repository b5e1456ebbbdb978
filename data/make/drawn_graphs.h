/*
 * drawn_graphs.h - the models of graph_model.h that draw each edge independently.
 */
#pragma once

#include "data/graph/graph.h"
#include "graph_model.h"

/* graph_generate for Kronecker, uniform and grid graphs; the size is checked already. */
bool graph_draw(const struct graph_generate_options *options, struct graph *graph,
                struct graph_error *error);
