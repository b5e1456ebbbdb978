/*
 * graph_write.h - graphs and pairs to a file or a stream.
 *
 * A file appears under its name only when it is complete (base/file_replace.h). Devices, pipes and
 * "-" (standard output) are written directly. Errors as in graph.h.
 */
#pragma once

#include "data/graph/graph.h"
#include "data/read/pairs.h"

enum graph_format {
    GRAPH_FORMAT_MATRIX_MARKET, /* coordinate pattern general; ids from 1 (a 0-based graph's + 1) */
    GRAPH_FORMAT_EDGE_LIST, /* "source target" a line, ids as they are; an edge list does not say
                               how many nodes there are, so unlinked last ones are lost */
};

struct graph_write_options {
    enum graph_format format;
    bool by_target; /* all edges to node 1, then to node 2, ...: as SuiteSparse sorts its files */
    const char *comment; /* a line for the head of the file, or NULL */
};

/*
 * Write a graph, node by node in order or sorted by target. Loading a Matrix Market file written
 * from a 1-based graph gives the same graph; by_target, if its lists are in ascending order, as
 * generated ones are. by_target builds the reverse adjacency where it is not there: another 4 bytes
 * per edge and 8 per node, and up to 6 per edge on the way.
 */
bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error);

/* Write pairs, "source target" a line. comment: a line for the head of the file, or NULL. */
bool pairs_write(const struct pairs *pairs, const char *comment, const char *path,
                 struct graph_error *error);
