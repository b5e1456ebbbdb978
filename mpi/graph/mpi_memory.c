/*
 * mpi_memory.c - the memory that a graph takes at each rank, and a check that it is available.
 */
#include "data/graph/graph_memory.h"
#include "mpi_graph.h"

uint64_t mpi_graph_memory(uint64_t node_count, uint64_t edge_count, int ranks)
{
    const uint64_t parts = (uint64_t)ranks, per_edge = 4 * sizeof(uint32_t);
    const uint64_t nodes = node_count / parts + 1, edges = edge_count / parts + 1;
    uint64_t node_bytes, edge_bytes, bytes;
    return __builtin_mul_overflow(nodes, 2 * sizeof(uint64_t), &node_bytes) ||
                   __builtin_mul_overflow(edges, per_edge, &edge_bytes) ||
                   __builtin_add_overflow(node_bytes, edge_bytes, &bytes) ||
                   __builtin_add_overflow(bytes, ROUND_BYTES, &bytes)
               ? UINT64_MAX
               : bytes;
}

/* This rank's share of the memory that is available on its machine. */
static uint64_t fair_share(MPI_Comm comm)
{
    MPI_Comm machine;
    int ranks;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &ranks);
    MPI_Comm_free(&machine);
    return memory_available() / (uint64_t)ranks;
}

bool mpi_graph_fits(MPI_Comm comm, const char *place, const struct mpi_partition *partition,
                    uint64_t edge_count, uint64_t limit, struct graph_error *error)
{
    char needed_text[32], limit_text[32];
    const uint64_t nodes = partition->node_limit;
    const uint64_t needed = mpi_graph_memory(nodes, edge_count, partition->ranks);
    const uint64_t share = fair_share(comm); /* collective */
    const uint64_t most = limit > 0 ? limit : share;
    bool fits = needed <= most ||
                graph_fail(error, place,
                           "%llu nodes and %llu edges need %s of memory at each of %d ranks; %s: "
                           "%s",
                           (unsigned long long)(nodes - partition->first_node),
                           (unsigned long long)edge_count, memory_text(needed_text, needed),
                           partition->ranks, limit > 0 ? "allowed" : "available",
                           memory_text(limit_text, most));
    return mpi_all_agree(comm, fits, error);
}
