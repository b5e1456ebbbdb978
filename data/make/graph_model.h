/*
 * graph_model.h - the parameters of a generated graph.
 */
#pragma once

#include <stdint.h>

/* The shape of a graph. */
enum graph_model {
    GRAPH_MODEL_WIKIPEDIA, /* directed links */
    GRAPH_MODEL_KRONECKER, /* as in Graph500: A .57, B .19, C .19; each edge in both directions */
    GRAPH_MODEL_UNIFORM,   /* directed; both ends of each edge uniform and independent */
    GRAPH_MODEL_GRID,      /* rows of nodes; each linked to its neighbours in row and column */
};

#define GRAPH_KRONECKER_SCALE_MAX 31

/* Default sizes; edges per node of a Kronecker or uniform graph. */
#define GRAPH_NODES_DEFAULT  400000
#define GRAPH_SCALE_DEFAULT  16
#define GRAPH_EDGES_PER_NODE 16
#define GRAPH_ROWS_DEFAULT   1000

struct graph_generate_options {
    uint32_t nodes;   /* at least 1, at most GRAPH_NODE_MAX; of Kronecker a power of two */
    uint64_t edges;   /* exactly this number, 0 included; Kronecker adds the opposite of each edge
                         but not of a self-loop; a grid ignores it */
    uint64_t seed;    /* any value; a grid ignores it */
    unsigned threads; /* 0: one per processor; the graph does not depend on it */
    enum graph_model model;
    uint32_t columns; /* of a grid: divides nodes */
};
