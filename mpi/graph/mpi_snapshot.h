/*
 * mpi_snapshot.h - snapshots of graph-convert; every rank reads its part.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "mpi_graph.h"

/*
 * As mpi_graph_load (mpi_load.h), for a snapshot. Each rank reads its own lists, and the checksums
 * of the file are checked. A snapshot of renumbered nodes is refused. Rank 0 maps the names.
 */
bool mpi_snapshot_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                       struct mpi_graph *graph, struct graph_error *error);
