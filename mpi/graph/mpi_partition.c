/*
 * mpi_partition.c - which rank owns which node; and one outcome for all ranks.
 */
#include "mpi_graph.h"

struct mpi_partition mpi_partition_make(MPI_Comm comm, uint64_t first_node, uint64_t node_limit,
                                        bool dealt)
{
    struct mpi_partition partition = {
        .first_node = first_node, .node_limit = node_limit, .dealt = dealt};
    MPI_Comm_rank(comm, &partition.rank);
    MPI_Comm_size(comm, &partition.ranks);
    const uint64_t ranks = (uint64_t)partition.ranks;
    const uint64_t words = node_limit / PARTITION_WORD + (node_limit % PARTITION_WORD != 0);
    const uint64_t each = words / ranks + (words % ranks != 0);
    partition.divisor = dealt ? ranks : each > 0 ? each : 1;
    partition.inverse = partition.divisor > 1 ? UINT64_MAX / partition.divisor + 1 : 0;
    return partition;
}

uint64_t mpi_local_count(const struct mpi_partition *partition, int rank)
{
    const uint64_t limit = partition->node_limit, number = (uint64_t)rank;
    if (!partition->dealt) {
        const uint64_t each = partition->divisor * PARTITION_WORD;
        const uint64_t first = number * each;
        return first >= limit ? 0 : limit - first < each ? limit - first : each;
    }
    const uint64_t whole = limit / PARTITION_WORD, ranks = partition->divisor;
    const uint64_t words = whole / ranks + (number < whole % ranks);
    return words * PARTITION_WORD + (number == whole % ranks ? limit % PARTITION_WORD : 0);
}

bool mpi_all_say(MPI_Comm comm, bool mine)
{
    const int own = mine;
    int all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, comm);
    return all != 0;
}

bool mpi_all_agree(MPI_Comm comm, bool mine, struct graph_error *error)
{
    int rank, ranks, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int own = mine ? ranks : rank;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < ranks) {
        MPI_Bcast(error, (int)sizeof(*error), MPI_BYTE, first, comm);
    }
    return first == ranks;
}
