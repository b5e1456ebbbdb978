/*
 * mpi_load.h - load a graph from a snapshot, each rank its part.
 */
#pragma once

#include "mpi_graph.h"

/*
 * Load a snapshot, each rank its part, or make the graph that "generate:..." describes, which rank
 * 0 does alone (mpi_whole.h). All ranks must see the same file; rank 0 has the names. Otherwise as
 * mpi_graph_build. To show the checksum, call mpi_graph_checksum.
 */
bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error);
