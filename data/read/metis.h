/*
 * metis.h - the rows of a METIS graph: line k lists the neighbours of node k.
 */
#ifndef PW_METIS_H
#define PW_METIS_H

#include "edge_scan.h"
#include "graph_format.h"

/* Where the reading of rows stands; zero at first. */
struct metis_rows {
    uint64_t row_count;
};

/*
 * Add the edges of a block of whole lines. scan counts lines and entries; line_number is that of
 * the block's first line. Returns false with error set.
 */
bool metis_scan_block(struct metis_rows *rows, const struct graph_format *format,
                      struct edge_scan *scan, const char *text, size_t length, const char *name,
                      struct graph_error *error);

#endif
