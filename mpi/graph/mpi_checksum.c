/*
 * mpi_checksum.c - the checksum of data/store/graph_checksum.h over the lists of all ranks.
 *
 * The checksum is a chain that cannot be cut, so it goes from rank to rank (mpi_walk.h), once for
 * the degrees and once for the neighbours: 0.1 ns per byte, as on one machine. Ids of more than
 * 32 bits, which bfs does not have, are a word each.
 */
#include "data/store/graph_checksum.h"
#include "mpi_walk.h"

#define PIECE ((uint64_t)1024)

static void add_degrees(const struct mpi_graph *graph, uint64_t begin, uint64_t end, void *token)
{
    struct graph_sum *sum = token;
    for (uint64_t i = begin; i < end; i++) {
        graph_sum_add(sum, graph->out.offsets[i + 1] - graph->out.offsets[i]);
    }
}

static void add_neighbours(const struct mpi_graph *graph, uint64_t begin, uint64_t end, void *token)
{
    struct graph_sum *sum = token;
    const mpi_node *ids = graph->out.neighbours + graph->out.offsets[begin];
    uint64_t count = graph->out.offsets[end] - graph->out.offsets[begin];
#if NODE_ID_BITS == 64
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

void mpi_graph_checksum(struct mpi_graph *graph)
{
    struct graph_sum sum;
    graph_sum_start(&sum);
    graph_sum_add(&sum, graph->partition.first_node);
    graph_sum_add(&sum, graph->partition.node_limit);
    graph_sum_add(&sum, graph->edge_count);
    mpi_walk(graph, &sum, sizeof(sum), add_degrees);
    mpi_walk(graph, &sum, sizeof(sum), add_neighbours);
    graph->checksum = graph_sum_end(&sum);
}
