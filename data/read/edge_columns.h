/*
 * edge_columns.h - edges in columns that are read in order: names, CSV with quotes, and adjacency
 * lists.
 */
#pragma once

#include "data/graph/graph_names.h"
#include "edge_scan.h"

struct edge_columns {
    char separator;    /* a blank: any number of blanks and tabs */
    bool has_quotes;   /* as in RFC 4180 (csv_column.h); a record may then have several lines */
    bool has_ids;      /* the nodes are ids, not names */
    bool is_adjacency; /* every column after the first is a target */
};

/* A text, as a scan goes through it. */
struct column_text {
    const struct edge_columns *columns;
    struct graph_names *names; /* NULL: ids */
    const char *path;          /* for messages */
    uint64_t first_line;       /* the number of the scan's first line in the text */
};

/*
 * Add the edges of a block of whole lines; a new name gets the next number. *used: the bytes of the
 * records that end in the block; the rest is to be given again, with more after it. False with
 * error set.
 */
bool edge_columns_scan_block(const struct column_text *text, struct edge_scan *scan,
                             const char *block, size_t length, size_t *used,
                             struct graph_error *error);

/* Set error: a quote opens in the scan's next record and does not close. Returns false. */
bool edge_columns_fail_open(const struct column_text *text, const struct edge_scan *scan,
                            struct graph_error *error);
