/*
 * metis.h - a METIS graph: a line "nodes edges [format [weights]]", then line k lists the
 * neighbours of node k.
 */
#pragma once

#include "edge_scan.h"
#include "graph_header.h"

/*
 * True if the head fits METIS and not an edge list: "nodes edges", no more lines than nodes, no
 * loops, lines of uneven length, and, if the whole file is in the head, the declared numbers.
 */
bool metis_matches(const struct graph_header *header);

/* Read the first line. False with error set. */
bool metis_read(struct graph_header *header);

/*
 * Add the edges of a block of whole lines. scan counts lines and entries; row_count counts the
 * nodes read so far. Returns false with error set.
 */
bool metis_scan_block(const struct graph_format *format, struct edge_scan *scan,
                      uint64_t *row_count, const char *text, size_t length, const char *name,
                      struct graph_error *error);
