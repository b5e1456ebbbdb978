/*
 * graph_format.h - what kind of text a graph is in, told by its first lines.
 */
#pragma once

#include "graph_header.h"

/*
 * Tell the format and read its header. options->format: a name of graph_format_names, or NULL for
 * the one the content tells. Remarks go to options->note. Returns false with error set.
 */
bool graph_format_read(struct text_source *source, const struct graph_options *options,
                       struct graph_format *format, struct graph_error *error);

/* "edges, matrix-market, ..." */
extern const char graph_format_names[];

/*
 * Whether the first bytes of a file, followed by a NUL that does not count, could be a graph's.
 * An archive_reader_accept.
 */
bool graph_format_looks_like_graph(const char *bytes, size_t length);
