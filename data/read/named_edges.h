/*
 * named_edges.h - edges between names instead of ids.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"

/*
 * Add the edges of a block of whole lines "name<tab>name"; a name gets the next number when it
 * occurs first. first_line: that of the text that the scan starts with. False with error set.
 */
bool named_edges_scan_block(struct graph_names *names, struct edge_scan *scan, const char *text,
                            size_t length, const char *path, uint64_t first_line,
                            struct graph_error *error);
