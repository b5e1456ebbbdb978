/*
 * mpi_load.c - the same file at every rank, then a text or a snapshot.
 */
#include "mpi_load.h"

bool mpi_graph_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error)
{
    *graph = (struct mpi_graph){0};
    *error = (struct graph_error){0};
    if (!mpi_text_load(comm, path, options, graph, error)) {
        return false;
    }
    mpi_graph_checksum(graph);
    return true;
}
