/*
 * mpi_whole.c - see mpi_whole.h.
 */
#include "mpi_whole.h"
#include "data/graph/graph_names.h"
#include "data/load/graph_load.h"
#include "data/make/generate.h"

/* Load or make the graph, at rank 0. */
static bool get_whole(const char *path, const struct graph_options *options, struct graph *graph,
                      struct graph_error *error)
{
    struct graph_generate_options made;
    if (graph_generate_is_spec(path)) {
        return graph_generate_parse(path, &made, error) && graph_generate(&made, graph, error);
    }
    if (!graph_load(path, options, graph, error)) {
        return false;
    }
    if (graph->original_ids != NULL) {
        graph_free(graph);
        return graph_fail(error, path, RENUMBERED_REFUSED);
    }
    return true;
}

/* The edges of a whole graph in the order of its lists; other ranks have an empty one. */
struct dealing {
    const struct graph *graph;
    uint32_t node;
    uint64_t edge;
};

static size_t next_edges(void *context, struct mpi_edge *edges, size_t capacity,
                         struct graph_error *error)
{
    struct dealing *dealing = context;
    const struct graph *graph = dealing->graph;
    size_t count = 0;
    (void)error;
    while (count < capacity && dealing->edge < graph->edge_count) {
        while (dealing->edge == graph->offsets[dealing->node + 1]) {
            dealing->node++;
        }
        edges[count++] = (struct mpi_edge){dealing->node, graph->neighbours[dealing->edge++]};
    }
    return count;
}

/* Move the names out of a whole graph, whose lists are not needed any more. */
static void keep_names(struct graph *whole, struct graph *nodes)
{
    if (whole->names != NULL && whole->names->is_mapped) { /* all of a copied snapshot is there */
        *nodes = *whole;
        *whole = (struct graph){0};
        return;
    }
    nodes->names = whole->names;
    nodes->origin = whole->origin;
    whole->names = NULL;
    whole->origin = NULL;
}

bool mpi_whole_load(MPI_Comm comm, const char *path, const struct mpi_load_options *options,
                    struct mpi_graph *graph, struct graph_error *error)
{
    struct graph whole = {0};
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (!mpi_all_agree(comm, rank != 0 || get_whole(path, &options->input, &whole, error), error)) {
        return false;
    }
    uint64_t sizes[3] = {whole.first_node, whole.node_limit, whole.edge_count};
    MPI_Bcast(sizes, 3, MPI_UINT64_T, 0, comm);
    const struct mpi_partition partition =
        mpi_partition_make(comm, sizes[0], sizes[1], options->dealt);
    struct dealing dealing = {.graph = &whole};
    const struct mpi_edge_source source = {.next = next_edges, .context = &dealing};
    const bool done =
        mpi_graph_fits(comm, path, &partition, sizes[2], options->input.memory_limit, error) &&
        mpi_graph_build(comm, &partition, &source, options->input.cancel, graph, error);
    if (done && rank == 0) {
        keep_names(&whole, &graph->nodes);
    }
    graph_free(&whole);
    return done;
}
