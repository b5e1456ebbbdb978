/*
 * graph_output.h - the format in which a graph is written, and how.
 */
#pragma once

#include "data/graph/graph.h"
#include <signal.h>

/* In the order of GRAPH_OUTPUT_FORMATS. */
enum graph_output {
    GRAPH_OUTPUT_MATRIX_MARKET, /* coordinate pattern general */
    GRAPH_OUTPUT_EDGES,         /* "source target" per line, the ids of the graph's file */
    GRAPH_OUTPUT_NAMES,         /* the same with a tab and names, URL-encoded where need be */
    GRAPH_OUTPUT_GRAPHML,
    GRAPH_OUTPUT_DOT, /* for Graphviz; no program here reads it */
    GRAPH_OUTPUT_CSV, /* RFC 4180, with the heading "source,target": names, or the file's ids */
};

#define GRAPH_OUTPUT_FORMATS "matrix-market, edges, names, graphml, dot, csv"

struct graph_write_options {
    enum graph_output format;
    bool by_target;      /* Matrix Market and edges: all edges to node 1, then to node 2, ...: as
                       SuiteSparse sorts its files */
    const char *comment; /* a line for the head of the file, or NULL */
    /* Remarks on what the format cannot keep, or NULL. */
    void (*note)(void *context, const char *text);
    void *context;
    const volatile sig_atomic_t *cancel; /* not zero: give up; or NULL */
};
