/*
 * mpi_load.h - load a graph from a file, each rank its part.
 */
#pragma once

#include "mpi_text.h"

/*
 * Load a plain Matrix Market file or edge list, or a snapshot. All ranks must see the same file;
 * copies of a text are compared to the last byte. Only rank 0 should have a note callback. Errors
 * are the errors of graph_load, line numbers included. Refused are files that must be read in one
 * piece: compressed ones, and formats that number nodes as they come. Otherwise as mpi_graph_build.
 * To show the checksum, call mpi_graph_checksum.
 */
bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error);
