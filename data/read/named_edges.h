/*
 * named_edges.h - edges between names instead of ids, and the names of a graph of ids.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"
#include <signal.h>

/*
 * Add the edges of a block of whole lines "name<tab>name"; a name gets the next number when it
 * occurs first. first_line: that of the text that the scan starts with. False with error set.
 */
bool named_edges_scan_block(struct graph_names *names, struct edge_scan *scan, const char *text,
                            size_t length, const char *path, uint64_t first_line,
                            struct graph_error *error);

/* Whether the names take at most the bytes allowed. False with error set. */
bool names_fit(const struct graph_names *names, uint64_t allowed, const char *path,
               struct graph_error *error);

/*
 * Read a file of one name per line. memory_limit: bytes that the names may take. cancel: as in
 * graph_options. Returns NULL with error set.
 */
struct graph_names *names_load(const char *path, uint64_t memory_limit,
                               const volatile sig_atomic_t *cancel, struct graph_error *error);
