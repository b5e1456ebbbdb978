/*
 * mpi_text.h - a text read by all ranks at once, each reading a range of its bytes.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "mpi_graph.h"

struct mpi_load_options {
    /* Used are: format, names_path, reverse, undirected, memory_limit (of each rank), note and
     * cancel. */
    struct graph_options input;
    bool dealt; /* deal the nodes out in words of 64, instead of a block per rank */
};

/* *divides: true if several ranks can read a text at once: it is plain, and each line is an edge
 * between two ids. Not collective. False with error set. */
bool mpi_text_divides(const char *path, const struct graph_options *options, bool *divides,
                      struct graph_error *error);

#define RENUMBERED_REFUSED                                                                         \
    "a snapshot of renumbered nodes cannot be used by several ranks: convert the graph again "     \
    "without renumbering"

/* As mpi_graph_load (mpi_load.h), for a text. Its ids have 32 bits, even if uint32_t has 64: all
 * readers share the scan of data/read, which knows no wider ones. */
bool mpi_text_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                   struct mpi_graph *graph, struct graph_error *error);
