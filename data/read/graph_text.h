/*
 * graph_text.h - graph_load for text only: no snapshot and no cache.
 */
#ifndef PW_GRAPH_TEXT_H
#define PW_GRAPH_TEXT_H

#include "data/graph/graph.h"

/* options is not NULL; on failure error is set and the graph zeroed. */
bool graph_load_text(const char *path, const struct graph_options *options, struct graph *graph,
                     struct graph_error *error);

#endif
