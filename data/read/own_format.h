/*
 * own_format.h - a text whose format has a reader of its own (graph_reader.h), into an edge scan.
 */
#pragma once

#include "edge_scan.h"
#include "graph_reader.h"
#include "text_source.h"

struct own_format {
    struct graph_reading reading; /* what the reader knows; its results are there in the end */
    struct text_source *source;
    struct edge_scan *scan; /* its direction is that of an edge with a direction */
    const struct graph_options *options;
    void (*tell)(void *context); /* after each piece */
    bool (*fits)(void *context, uint64_t nodes, uint64_t edges, struct graph_error *error);
    void *context;
    uint64_t limit; /* bytes that the reader may keep */
    uint64_t position;
    char *buffer;
};

/*
 * Read all of a text. Set what is above position but the reading, and zero the rest. The names in
 * the reading are the caller's, also on failure. False with error set.
 */
bool own_format_read(struct own_format *own, const struct graph_reader *reader,
                     struct graph_error *error);
