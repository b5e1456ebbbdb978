/*
 * mpi_checksum.c - the checksum of data/store/graph_checksum.h over the lists of all ranks.
 *
 * Its lanes are a chain that cannot be cut, so the sum goes from rank to rank, in the order of the
 * nodes: once round for the degrees and once for the neighbours. No data moves, but one rank works
 * at a time: 0.1 ns per byte, as on one machine. In a dealt partition the sum moves with every 64
 * nodes. Ids of more than 32 bits, which bfs does not have, are a word each.
 */
#include "data/store/graph_checksum.h"
#include "mpi_graph.h"

#define TAG   1
#define PIECE ((uint64_t)1024)

static void add_degrees(const struct mpi_graph *graph, uint64_t begin, uint64_t end,
                        struct graph_sum *sum)
{
    for (uint64_t i = begin; i < end; i++) {
        graph_sum_add(sum, graph->out.offsets[i + 1] - graph->out.offsets[i]);
    }
}

static void add_neighbours(const struct mpi_graph *graph, uint64_t begin, uint64_t end,
                           struct graph_sum *sum)
{
    const mpi_node *ids = graph->out.neighbours + graph->out.offsets[begin];
    uint64_t count = graph->out.offsets[end] - graph->out.offsets[begin];
#if MPI_NODE_BITS == 64
    const bool wide = graph->partition.node_limit > UINT32_MAX;
    for (uint64_t i = 0; i < count;) {
        uint32_t piece[PIECE];
        uint32_t used = 0;
        for (; !wide && i < count && used < PIECE; i++) {
            piece[used++] = (uint32_t)ids[i];
        }
        graph_sum_add_ids(sum, piece, used);
        for (; wide && i < count; i++) {
            graph_sum_add(sum, ids[i]);
        }
    }
#else
    graph_sum_add_ids(sum, ids, count);
#endif
}

/* Hand the sum from the owner of one piece of the nodes to that of the next. */
static void walk(const struct mpi_graph *graph, struct graph_sum *sum,
                 void (*add)(const struct mpi_graph *graph, uint64_t begin, uint64_t end,
                             struct graph_sum *sum))
{
    const struct mpi_partition *partition = &graph->partition;
    const uint64_t size = partition->dealt ? MPI_WORD_BITS : partition->divisor * MPI_WORD_BITS;
    int holder = 0;
    for (uint64_t first = 0; first < partition->node_limit; first += size) {
        const uint64_t left = partition->node_limit - first;
        const int owner = mpi_owner(partition, first);
        if (owner != holder && partition->rank == holder) {
            MPI_Send(sum, (int)sizeof(*sum), MPI_BYTE, owner, TAG, graph->comm);
        }
        if (owner != holder && partition->rank == owner) {
            MPI_Recv(sum, (int)sizeof(*sum), MPI_BYTE, holder, TAG, graph->comm, MPI_STATUS_IGNORE);
        }
        if (partition->rank == owner) {
            const uint64_t begin = mpi_local(partition, first);
            add(graph, begin, begin + (left < size ? left : size), sum);
        }
        holder = owner;
    }
    MPI_Bcast(sum, (int)sizeof(*sum), MPI_BYTE, holder, graph->comm);
}

void mpi_graph_checksum(struct mpi_graph *graph)
{
    struct graph_sum sum;
    graph_sum_start(&sum);
    graph_sum_add(&sum, graph->partition.first_node);
    graph_sum_add(&sum, graph->partition.node_limit);
    graph_sum_add(&sum, graph->edge_count);
    walk(graph, &sum, add_degrees);
    walk(graph, &sum, add_neighbours);
    graph->checksum = graph_sum_end(&sum);
}
