/*
 * named_edges.h - edges between names instead of ids.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"

/*
 * Add the edges of a block of whole lines "name<tab>name"; a new name gets the next number.
 * first_line: the number of the scan's first line in the text. False with error set.
 */
bool named_edges_scan_block(struct graph_names *names, struct edge_scan *scan, const char *text,
                            size_t length, const char *path, uint64_t first_line,
                            struct graph_error *error);
