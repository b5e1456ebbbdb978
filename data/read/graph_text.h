/*
 * graph_text.h - graph_load for text only: no snapshot and no cache.
 */
#pragma once

#include "data/graph/graph.h"

/* options is not NULL; on failure error is set and the graph zeroed. */
bool graph_load_text(const char *path, const struct graph_options *options, struct graph *graph,
                     struct graph_error *error);
