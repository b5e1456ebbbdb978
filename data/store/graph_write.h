/*
 * graph_write.h - graphs and pairs to a file or a stream.
 *
 * A file appears under its name only when it is complete: until then it has no name (or a temporary
 * one, where the file system cannot do that), so an interrupted or failed run leaves nothing
 * half-written and an older file stays as it was. Devices, pipes and "-" (standard output) are
 * written straight. Errors as in graph.h.
 */
#ifndef PW_GRAPH_WRITE_H
#define PW_GRAPH_WRITE_H

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
 * Write a graph, row by row in order or sorted by target. Loading a Matrix Market file written from
 * a 1-based graph gives the same graph, by_target if its rows are in ascending order, as generated
 * ones are. by_target takes another 4 bytes an edge and 8 a node.
 */
bool graph_write(const struct graph *graph, const struct graph_write_options *options,
                 const char *path, struct graph_error *error);

/* Write pairs, "source target" a line. comment: a line for the head of the file, or NULL. */
bool pairs_write(const struct pairs *pairs, const char *comment, const char *path,
                 struct graph_error *error);

#endif
