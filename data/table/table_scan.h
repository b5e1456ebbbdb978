/*
 * table_scan.h - edges in the rows of a table, read in order: names, CSV with quotes, any two
 * columns, and adjacency lists.
 */
#pragma once

#include "data/read/edge_scan.h"
#include "data/read/text_aids.h"

/* As tables_aid.scan. */
bool table_scan_block(const struct table_text *text, struct edge_scan *scan, const char *block,
                      size_t length, size_t *used, struct graph_error *error);

/* As tables_aid.fail_open. */
bool table_scan_fail_open(const struct table_text *text, const struct edge_scan *scan,
                          struct graph_error *error);
