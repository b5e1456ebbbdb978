/*
 * mpi_load.h - load a graph from a file, each rank its part.
 */
#pragma once

#include "mpi_text.h"

/*
 * Load a graph from a file, or make the one that "generate:..." describes. All ranks read plain
 * edge lists, Matrix Market, DIMACS and snapshots at once, each its part; they must see the same
 * file, and copies of a text are compared to the last byte. Rank 0 alone reads or makes anything
 * else (mpi_whole.h), and has the names. Only rank 0 should have a note callback. Errors are the
 * errors of graph_load, line numbers included. Otherwise as mpi_graph_build. To show the checksum,
 * call mpi_graph_checksum.
 */
bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error);
