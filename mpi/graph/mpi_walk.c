/*
 * mpi_walk.c - hands a token from owner to owner, in the order of the nodes.
 */
#include "mpi_walk.h"

#define TAG 1

void mpi_walk(const struct mpi_graph *graph, void *token, size_t size, mpi_visit *visit)
{
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t limit = partition->node_limit;
    const uint64_t each = partition->dealt ? PARTITION_WORD : partition->divisor * PARTITION_WORD;
    int holder = 0;
    for (uint64_t first = 0; first < limit; first += each) {
        const int owner = mpi_owner(partition, first);
        if (owner != holder && partition->rank == holder) {
            MPI_Send(token, (int)size, MPI_BYTE, owner, TAG, graph->comm);
        }
        if (owner != holder && partition->rank == owner) {
            MPI_Recv(token, (int)size, MPI_BYTE, holder, TAG, graph->comm, MPI_STATUS_IGNORE);
        }
        if (partition->rank == owner) {
            const uint64_t begin = mpi_local(partition, first);
            visit(graph, begin, begin + (limit - first < each ? limit - first : each), token);
        }
        holder = owner;
    }
    MPI_Bcast(token, (int)size, MPI_BYTE, holder, graph->comm);
}
