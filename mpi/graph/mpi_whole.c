/*
 * mpi_whole.c - see mpi_whole.h.
 */
#include "mpi_whole.h"
#include "data/make/generate.h"

/* Make the graph, at rank 0. */
static bool make_whole(const char *specification, struct graph *graph, struct graph_error *error)
{
    struct graph_generate_options wanted;
    return graph_generate_parse(specification, &wanted, error) &&
           graph_generate(&wanted, graph, error);
}

/* The edges of a whole graph in the order of its lists; other ranks have an empty one. */
struct dealing {
    const struct graph *graph;
    uint32_t node;
    uint64_t edge;
};

static size_t next_edges(void *context, struct mpi_edge *edges, size_t capacity)
{
    struct dealing *dealing = context;
    const struct graph *graph = dealing->graph;
    size_t count = 0;
    while (count < capacity && dealing->edge < graph->edge_count) {
        while (dealing->edge == graph->offsets[dealing->node + 1]) {
            dealing->node++;
        }
        edges[count++] = (struct mpi_edge){dealing->node, graph->neighbours[dealing->edge++]};
    }
    return count;
}

bool mpi_whole_load(MPI_Comm comm, const char *specification,
                    const struct mpi_load_options *options, struct mpi_graph *graph,
                    struct graph_error *error)
{
    struct graph whole = {0};
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (!mpi_all_agree(comm, rank != 0 || make_whole(specification, &whole, error), error)) {
        return false;
    }
    uint64_t sizes[3] = {whole.first_node, whole.node_limit, whole.edge_count};
    MPI_Bcast(sizes, 3, MPI_UINT64_T, 0, comm);
    const struct mpi_partition partition =
        mpi_partition_make(comm, sizes[0], sizes[1], options->dealt);
    struct dealing dealing = {.graph = &whole};
    const struct mpi_edge_source source = {.next = next_edges, .context = &dealing};
    const bool done =
        mpi_graph_fits(comm, specification, &partition, sizes[2], options->input.memory_limit,
                       error) &&
        mpi_graph_build(comm, &partition, &source, options->input.cancel, graph, error);
    graph_free(&whole);
    return done;
}
