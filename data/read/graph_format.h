/*
 * graph_format.h - what kind of text a graph is in, told by its first lines.
 */
#pragma once

#include "edge_scan.h"
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

/*
 * Whether the entries of a part are no more than those declared. lines, entries: those before the
 * part, the lines of the header among them. The error is at the first that is too many.
 */
bool graph_format_check_part(const struct graph_format *format, const struct edge_scan *scan,
                             uint64_t lines, uint64_t entries, const char *name,
                             struct graph_error *error);

/*
 * Whether all lines hold as many entries as are declared, or else at least one. has_more: a line
 * has columns behind the two ids, which is noted.
 */
bool graph_format_check_whole(const struct graph_format *format,
                              const struct graph_options *options, uint64_t lines, uint64_t entries,
                              bool has_more, const char *name, struct graph_error *error);
