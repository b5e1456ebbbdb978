/*
 * graph500_options.h - the options of a run of the benchmark.
 */
#pragma once

#include "base/program/command_line.h"
#include "base/report/report_value.h"
#include "bfs/search/search.h"
#include "mpi/graph/mpi_graph.h"

#define GRAPH500_KEYS 64

struct graph500_options {
    bool is_asked;
    bool is_sized; /* scale, edgefactor or seed were given */
    unsigned scale;
    uint64_t edgefactor;                /* at least 1 */
    uint64_t seed;                      /* of the edges and the keys */
    uint64_t memory_limit;              /* of each rank; 0: what is available there */
    const struct search_engine *engine; /* of bfs, on one rank; NULL: the search of all ranks */
    enum report_format format;
    const char *program; /* its name, for the result */
};

#define GRAPH500_DEFAULTS                                                                          \
    {                                                                                              \
        .scale = 16, .edgefactor = 16, .seed = 1                                                   \
    }

/* The command line options of the benchmark; they fill a struct graph500_options. */
extern const struct option_row graph500_option_rows[];

/* The engine of bfs with this name; it must keep a visit order. False with error set. */
bool graph500_engine_find(const char *name, const struct search_engine **found,
                          struct command_error *error);

/* The largest scale whose nodes have ids. */
#define GRAPH500_SCALE_MAX 31 /* ids have 32 bits */
