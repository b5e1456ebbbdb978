/*
 * mpi_snapshot.h - snapshots of graph-convert, of which every rank reads or writes its part.
 */
#pragma once

#include "mpi_text.h"

/*
 * As mpi_graph_load (mpi_load.h), for a snapshot. Each rank reads its own lists, and all is held
 * against the checksums of the file. A snapshot of renumbered nodes is refused; names are ignored.
 */
bool mpi_snapshot_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                       struct mpi_graph *graph, struct graph_error *error);

/*
 * Write a snapshot, the same bytes that graph-convert writes, each rank its part; whole or not at
 * all. The partition must be one of blocks. options: how the graph was read. All ranks must see the
 * folder of path. begun: told the file's name until it is whole, for a handler of signals to remove
 * it; "" when there is nothing left to remove. Collective.
 */
bool mpi_snapshot_save(const struct mpi_graph *graph, const char *path,
                       const struct graph_options *options, void (*begun)(const char *temporary),
                       struct graph_error *error);
