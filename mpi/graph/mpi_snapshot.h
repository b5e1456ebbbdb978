/*
 * mpi_snapshot.h - snapshots of graph-convert; every rank reads or writes its part.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "mpi_text.h"

/*
 * As mpi_graph_load (mpi_load.h), for a snapshot. Each rank reads its own lists, and the checksums
 * of the file are checked. A snapshot of renumbered nodes is refused. Rank 0 maps the names.
 */
bool mpi_snapshot_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                       struct mpi_graph *graph, struct graph_error *error);

/*
 * Write a snapshot with the same bytes as graph-convert; each rank writes its part; whole or not at
 * all. Refused if the nodes have names. The partition must be one of blocks. options: how the graph
 * was read. All ranks must see the folder of path. begun: gets the file's name until it is whole,
 * so that a signal handler can remove it; "" when there is nothing left to remove. Collective.
 */
bool mpi_snapshot_save(const struct mpi_graph *graph, const char *path,
                       const struct graph_options *options, void (*begun)(const char *temporary),
                       struct graph_error *error);
