/*
 * graph_format.h - the format of a graph's text, found from its first lines.
 */
#pragma once

#include "edge_scan.h"
#include "graph_header.h"
#include "text_aids.h"

/* The formats that this folder reads by itself. */
#define GRAPH_FORMAT_NAMES "edges, csv, names, adjacency, matrix-market, dimacs, metis"

/*
 * Recognise the format and read its header. options->format: one of GRAPH_FORMAT_NAMES or the name
 * of a reader, or NULL: by the content (METIS also by the ending .graph). aids:
 * further formats, and tables. Remarks go to options->note. Returns false with error set.
 */
bool graph_format_read(struct text_source *source, const struct graph_options *options,
                       const struct text_aids *aids, struct graph_format *format,
                       struct graph_error *error);

/* Note that the caller chose columns, if so, of a graph that is no table. */
void graph_format_note_columns(const struct graph_options *options);

/*
 * True if the first bytes of a file, followed by a NUL that does not count, could be a graph's.
 * readers: struct graph_readers. For an archive_choice.
 */
bool graph_format_looks_like_graph(const void *readers, const char *bytes, size_t length);

/*
 * True if a part has no more entries than declared. lines, entries: the numbers before the part,
 * with the lines of the header. The error is at the first entry too many.
 */
bool graph_format_check_part(const struct graph_format *format, const struct edge_scan *scan,
                             uint64_t lines, uint64_t entries, const char *name,
                             struct graph_error *error);

/*
 * True if all lines have as many entries as declared, or at least one if none are declared.
 * seen: what the lines of the file have, for notes.
 */
bool graph_format_check_whole(const struct graph_format *format,
                              const struct graph_options *options, uint64_t lines, uint64_t entries,
                              const struct edge_notes *seen, const char *name,
                              struct graph_error *error);
