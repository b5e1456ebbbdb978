/*
 * graph_text.h - reads a graph from an open text, without snapshots or a cache.
 */
#pragma once

#include "text_aids.h"
#include "text_source.h"

/*
 * Read a graph from an open source, which is then closed. options is not NULL. On failure error is
 * set and the graph zeroed. The memory of aids->order is given back.
 */
bool graph_text_load(struct text_source *source, const struct graph_options *options,
                     const struct text_aids *aids, struct graph *graph, struct graph_error *error);
