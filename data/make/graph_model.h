/*
 * graph_model.h - what a generated graph shall be like.
 */
#pragma once

#include <stdint.h>

/* The shape of a graph, in the order of GRAPH_MODELS. */
enum graph_model {
    GRAPH_MODEL_WIKIPEDIA, /* directed links */
    GRAPH_MODEL_KRONECKER, /* that of Graph500: A .57, B .19, C .19; each edge in both directions */
    GRAPH_MODEL_UNIFORM,   /* directed; both ends of each edge uniform and independent */
    GRAPH_MODEL_GRID,      /* rows of nodes; each linked to those beside, above and below it */
};

#define GRAPH_MODELS              "wikipedia, kronecker, uniform, grid"
#define GRAPH_KRONECKER_SCALE_MAX 31

/* Sizes where none is given; edges per node of a Kronecker or uniform graph. */
#define GRAPH_NODES_DEFAULT      400000
#define GRAPH_SCALE_DEFAULT      16
#define GRAPH_EDGEFACTOR_DEFAULT 16
#define GRAPH_ROWS_DEFAULT       1000

struct graph_generate_options {
    uint32_t nodes;   /* at least 1, at most GRAPH_NODE_MAX; of Kronecker a power of two */
    uint64_t edges;   /* exactly this number, 0 included; of Kronecker, before they go both ways,
                         which a self-loop does not; of a grid without effect */
    uint64_t seed;    /* any value; of a grid without effect */
    unsigned threads; /* 0: one per processor; the graph does not depend on it */
    enum graph_model model;
    uint32_t columns; /* of a grid: divides nodes */
};
