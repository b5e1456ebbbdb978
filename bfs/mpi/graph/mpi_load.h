/*
 * mpi_load.h - load a graph from a file, each rank its part.
 */
#pragma once

#include "mpi_text.h"

/*
 * Load a plain Matrix Market file or edge list, or a snapshot. All ranks must see the same file.
 * Only rank 0 should have a note callback. Errors are those of graph_load, line numbers too. What
 * must be read in one piece (compressed files, formats that number nodes as they come) is refused.
 * As mpi_graph_build besides. Whoever shows the checksum calls mpi_graph_checksum.
 */
bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error);
