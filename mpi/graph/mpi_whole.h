/*
 * mpi_whole.h - a graph that rank 0 makes whole ("generate:..."), and deals out to all ranks.
 *
 * Rank 0 needs the memory for the whole graph until it is dealt out; the others need their part
 * alone.
 */
#pragma once

#include "mpi_graph.h"

/* As mpi_graph_load (mpi_load.h), for "generate:...". */
bool mpi_whole_load(MPI_Comm comm, const char *specification,
                    const struct mpi_load_options *options, struct mpi_graph *graph,
                    struct graph_error *error);
