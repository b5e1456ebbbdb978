/*
 * own_format.h - scans a text whose format has its own reader (graph_reader.h).
 */
#pragma once

#include "data/graph/graph_options.h"
#include "edge_scan.h"
#include "graph_reader.h"
#include "text_source.h"

struct own_format {
    struct graph_reading reading; /* for the reader; has its results in the end */
    struct text_source *source;
    struct edge_scan *scan; /* its direction applies to directed edges */
    const struct graph_options *options;
    void (*report)(void *context); /* after each piece */
    bool (*fits)(void *context, uint64_t nodes, uint64_t edges, struct graph_error *error);
    void *context;
    uint64_t limit; /* bytes that the reader may keep */
    uint64_t position;
    char *buffer;
};

/*
 * Read a whole text. Set the members above position except the reading, and zero the rest. The
 * caller owns the names in the reading, also on failure. False with error set.
 */
bool own_format_read(struct own_format *own, const struct graph_reader *reader,
                     struct graph_error *error);
