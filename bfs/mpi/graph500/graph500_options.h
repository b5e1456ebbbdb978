/*
 * graph500_options.h - what a run of the benchmark can be told.
 */
#pragma once

#include "bfs/mpi/graph/mpi_graph.h"
#include "bfs/search/search.h"
#include "perf/program/command_line.h"

#define GRAPH500_KEYS 64

/* A single-machine engine on one rank; NULL: the search of all ranks. */
struct graph500_engine {
    const struct search_engine *table;
};

struct graph500_options {
    bool is_asked;
    unsigned scale;
    uint64_t edgefactor; /* at least 1 */
    uint64_t seed;       /* of the edges and the keys */
    struct graph500_engine engine;
};

#define GRAPH500_DEFAULTS                                                                          \
    {                                                                                              \
        .scale = 16, .edgefactor = 16, .seed = 1                                                   \
    }

/* The options of a program for the benchmark, which fill a struct graph500_options. */
extern const struct option_row graph500_option_rows[];

/* The largest scale whose nodes have ids. */
#define GRAPH500_SCALE_MAX (MPI_NODE_BITS == 64 ? 40 : 31)
