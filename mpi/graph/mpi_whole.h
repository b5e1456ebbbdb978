/*
 * mpi_whole.h - a graph that rank 0 has whole, and deals out to all ranks.
 *
 * For what several ranks cannot read at once: compressed files, formats that number the nodes as
 * they come or name them, and graphs that are made ("generate:..."). Rank 0 loads with the one
 * loader of all programs (data/load), and needs the memory for the whole graph until it is dealt
 * out; the others need their part alone.
 */
#pragma once

#include "mpi_text.h"

/* As mpi_graph_load (mpi_load.h). Only rank 0 looks at the file. A snapshot of renumbered nodes is
 * refused. */
bool mpi_whole_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error);
