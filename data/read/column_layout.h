/*
 * column_layout.h - what the first lines of a table of edges show: its separator, its quotes, a
 * heading, and if its nodes are ids or names.
 */
#pragma once

#include "graph_header.h"

/*
 * Read the head of an edge list, whose next line is the first that is no comment. format: "edges",
 * "names", "csv" or "adjacency"; NULL: any of the first three, as the content shows. Afterwards the
 * header is at the first line of edges, and its format is set. Returns false with error set.
 */
bool column_layout_read(struct graph_header *header, const char *format);
