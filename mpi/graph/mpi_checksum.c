/*
 * mpi_checksum.c - the checksum of data/store/graph_checksum.h over the lists of all ranks.
 *
 * The checksum is a chain that cannot be cut, so it goes from rank to rank (mpi_walk.h), once for
 * the degrees and once for the neighbours: 0.1 ns per byte, as on one machine.
 */
#include "data/store/graph_checksum.h"
#include "mpi_walk.h"

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
    const uint64_t *offsets = graph->out.offsets;
    graph_sum_add_ids(sum, graph->out.neighbours + offsets[begin], offsets[end] - offsets[begin]);
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
