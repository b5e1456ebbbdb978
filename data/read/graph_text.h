/*
 * graph_text.h - graph_load for text only: no snapshot and no cache.
 */
#pragma once

#include "graph_reader.h"
#include "text_source.h"

/*
 * Read a graph from an open source, which is then closed. options is not NULL. readers: further
 * formats, of which the last has no name. On failure error is set and the graph zeroed.
 */
bool graph_text_load(struct text_source *source, const struct graph_options *options,
                     const struct graph_reader *readers, struct graph *graph,
                     struct graph_error *error);
