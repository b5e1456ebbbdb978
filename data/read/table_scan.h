/*
 * table_scan.h - edges in the rows of a table, read in order: names, CSV with quotes, any two
 * columns, and adjacency lists.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"
#include "table_look.h"

/* A text, as a scan goes through it. */
struct table_text {
    const struct table_look *look;
    struct graph_names *names; /* NULL: ids */
    const char *path;          /* for messages */
    uint64_t first_line;       /* the number of the scan's first line in the text */
};

/*
 * Add the edges of a block of whole lines; a new name gets the next number. *used: the bytes of the
 * rows that end in the block; the rest is to be given again, with more after it. False with error
 * set.
 */
bool table_scan_block(const struct table_text *text, struct edge_scan *scan, const char *block,
                      size_t length, size_t *used, struct graph_error *error);

/* Set error: a quote opens in the scan's next row and does not close. Returns false. */
bool table_scan_fail_open(const struct table_text *text, const struct edge_scan *scan,
                          struct graph_error *error);
