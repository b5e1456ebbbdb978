/*
 * search_pairs.c - see search_pairs.h.
 */
#include "search_pairs.h"
#include "data/make/generate.h"
#include <stdlib.h>

#define PAIRS_AT_ONCE ((size_t)1 << 20) /* of a broadcast */

/* The pairs of bfs, in ids of any width. NULL with error set, or, out of memory, without. */
static struct mpi_pair *make_random(const char *spec, const struct mpi_partition *partition,
                                    const struct graph_options *limits, size_t *count,
                                    struct graph_error *error)
{
    struct pairs_generate_options options;
    if (!pairs_generate_parse(spec, &options, error) ||
        !pairs_load_allows(options.count, limits, spec, error)) {
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

/* As make_random, of a file or of the question. */
static struct mpi_pair *read_pairs(const struct search_wanted *wanted, const struct graph *nodes,
                                   const struct graph_options *options, size_t *count,
                                   struct graph_error *error)
{
    struct pairs read;
    if (wanted->pairs == NULL
            ? !pairs_load_question(&wanted->from, &wanted->to, nodes, options, &read, error)
            : !pairs_load_within(wanted->pairs, nodes, options, &read, error)) {
        return NULL;
    }
    if (read.note[0] != '\0' && options->note != NULL) {
        options->note(options->context, read.note, GRAPH_REMEDY_NONE);
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

struct mpi_pair *search_pairs_read(const struct search_wanted *wanted,
                                   const struct mpi_graph *graph,
                                   const struct graph_options *options, size_t *count,
                                   struct graph_error *error)
{
    const char *path = wanted->pairs != NULL ? wanted->pairs : wanted->from.place;
    const struct mpi_partition *partition = &graph->partition;
    const bool reads = partition->rank == 0;
    struct mpi_pair *pairs = NULL;
    uint64_t number = 0;
    *count = 0;
    *error = (struct graph_error){0};
    if (reads) {
        pairs = pairs_generate_is_spec(path)
                    ? make_random(path, partition, options, count, error)
                    : read_pairs(wanted, &graph->nodes, options, count, error);
        number = *count;
    }
    if (!all_have(graph, !reads || pairs != NULL, path, *count, error)) {
        free(pairs);
        return NULL;
    }
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, graph->comm);
    *count = (size_t)number;
    if (!reads) {
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
