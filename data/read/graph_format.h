/*
 * graph_format.h - what kind of text a graph is in, told by its first lines.
 */
#pragma once

#include "graph_header.h"

/* What this folder reads by itself. */
#define GRAPH_FORMAT_NAMES "edges, matrix-market, dimacs, metis, names"

/*
 * Tell the format and read its header. options->format: one of GRAPH_FORMAT_NAMES or the name of a
 * reader, or NULL for what the content tells (METIS also by the ending .graph). readers: further
 * formats. Remarks go to options->note. Returns false with error set.
 */
bool graph_format_read(struct text_source *source, const struct graph_options *options,
                       const struct graph_reader *readers, struct graph_format *format,
                       struct graph_error *error);

/*
 * Whether the first bytes of a file, followed by a NUL that does not count, could be a graph's.
 * readers: the list of further formats. For an archive_choice.
 */
bool graph_format_looks_like_graph(const void *readers, const char *bytes, size_t length);
