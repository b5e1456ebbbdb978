/*
 * search_pairs.c - see search_pairs.h.
 */
#include "search_pairs.h"
#include "data/load/pairs_load.h"
#include "data/make/generate.h"
#include <stdlib.h>

#define PAIRS_AT_ONCE ((size_t)1 << 20) /* of a broadcast */

/* The pairs of bfs, in ids of any width. NULL with error set, or, out of memory, without. */
static struct mpi_pair *make_random(const char *spec, const struct mpi_partition *partition,
                                    size_t *count, struct graph_error *error)
{
    struct pairs_generate_options options;
    if (!pairs_generate_parse(spec, &options, error)) {
        return NULL;
    }
    const uint64_t first = partition->first_node, nodes = partition->node_limit - first;
    if (nodes == 0) {
        graph_fail(error, "random pairs", "the graph has no nodes");
        return NULL;
    }
    struct mpi_pair *pairs = calloc(options.count, sizeof(*pairs));
    struct random_pairs drawn = random_pairs_start(&options, nodes);
    for (size_t i = 0; pairs != NULL && i < options.count; i++) {
        random_pairs_next(&drawn);
        pairs[i] =
            (struct mpi_pair){(mpi_node)(first + drawn.source), (mpi_node)(first + drawn.target)};
    }
    *count = options.count;
    return pairs;
}

/* As make_random. */
static struct mpi_pair *read_file(const char *path, const struct mpi_partition *partition,
                                  size_t *count, struct graph_error *error)
{
    const uint64_t limit = partition->node_limit;
    const struct graph graph = {.first_node = (uint32_t)partition->first_node,
                                .node_limit =
                                    limit <= GRAPH_NODE_MAX ? (uint32_t)limit : GRAPH_NODE_MAX + 1};
    struct pairs read;
    if (!pairs_load(path, &graph, &read, error)) {
        return NULL;
    }
    struct mpi_pair *pairs = calloc(read.count, sizeof(*pairs));
    for (size_t i = 0; pairs != NULL && i < read.count; i++) {
        pairs[i] = (struct mpi_pair){read.items[i].source, read.items[i].target};
    }
    *count = read.count;
    pairs_free(&read);
    return pairs;
}

/* True if every rank has its pairs; a rank without them and without an error is out of memory. */
static bool all_have(const struct mpi_graph *graph, bool mine, const char *path, size_t count,
                     struct graph_error *error)
{
    mine = mine || graph_fail(error, path, "out of memory for %zu pairs", count);
    return mpi_all_agree(graph->comm, mine, error);
}

struct mpi_pair *search_pairs_read(const char *path, const struct mpi_graph *graph, size_t *count,
                                   struct graph_error *error)
{
    const struct mpi_partition *partition = &graph->partition;
    struct mpi_pair *pairs = NULL;
    uint64_t number = 0;
    *count = 0;
    *error = (struct graph_error){0};
    if (partition->rank == 0) {
        pairs = pairs_generate_is_spec(path) ? make_random(path, partition, count, error)
                                             : read_file(path, partition, count, error);
        number = *count;
    }
    if (!all_have(graph, partition->rank > 0 || pairs != NULL, path, *count, error)) {
        free(pairs);
        return NULL;
    }
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, graph->comm);
    *count = (size_t)number;
    if (partition->rank > 0) {
        pairs = calloc(*count, sizeof(*pairs));
    }
    if (!all_have(graph, pairs != NULL, path, *count, error)) {
        free(pairs);
        return NULL;
    }
    for (size_t i = 0; i < *count; i += PAIRS_AT_ONCE) {
        const size_t some = *count - i < PAIRS_AT_ONCE ? *count - i : PAIRS_AT_ONCE;
        MPI_Bcast(pairs + i, 2 * (int)some, NODE_ID_TYPE, 0, graph->comm);
    }
    return pairs;
}
