/*
 * search_pairs.c - see search_pairs.h.
 */
#include "search_pairs.h"
#include "data/make/generate.h"
#include <stdlib.h>

#define PAIRS_AT_ONCE ((size_t)1 << 20) /* of a broadcast */

/* The pairs of bfs: made at random, of a file, or of the question. */
static bool read_pairs(const struct search_wanted *wanted, const struct graph *nodes,
                       const struct graph_options *options, struct pairs *pairs,
                       struct graph_error *error)
{
    struct pairs_generate_options made;
    if (wanted->pairs == NULL) {
        return pairs_load_question(&wanted->from, &wanted->to, nodes, options, pairs, error);
    }
    if (!pairs_generate_is_spec(wanted->pairs)) {
        return pairs_load_within(wanted->pairs, nodes, options, pairs, error);
    }
    return pairs_generate_parse(wanted->pairs, &made, error) &&
           pairs_load_allows(made.count, options, wanted->pairs, error) &&
           pairs_generate(nodes, &made, pairs, error);
}

/* True if every rank has its pairs; a rank without them and without an error is out of memory. */
static bool all_have(const struct mpi_graph *graph, bool mine, const char *path, size_t count,
                     struct graph_error *error)
{
    mine = mine || graph_fail(error, path, "out of memory for %zu pairs", count);
    return mpi_all_agree(graph->comm, mine, error);
}

struct pair *search_pairs_read(const struct search_wanted *wanted, const struct mpi_graph *graph,
                               const struct graph_options *options, size_t *count,
                               struct graph_error *error)
{
    const char *path = wanted->pairs != NULL ? wanted->pairs : wanted->from.place;
    const bool reads = graph->partition.rank == 0;
    struct pairs pairs = {.count = 0};
    *error = (struct graph_error){0};
    const bool done = !reads || read_pairs(wanted, &graph->nodes, options, &pairs, error);
    uint64_t number = pairs.count;
    if (!all_have(graph, done, path, pairs.count, error)) {
        return NULL;
    }
    if (pairs.note[0] != '\0' && options->note != NULL) {
        options->note(options->context, pairs.note, GRAPH_REMEDY_NONE);
    }
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, graph->comm);
    *count = (size_t)number;
    struct pair *items = reads ? pairs.items : calloc(*count, sizeof(*items));
    pairs.items = NULL; /* they stay; the notes on them do not */
    pairs_free(&pairs);
    if (!all_have(graph, items != NULL, path, *count, error)) {
        free(items);
        return NULL;
    }
    for (size_t i = 0; i < *count; i += PAIRS_AT_ONCE) {
        const size_t some = *count - i < PAIRS_AT_ONCE ? *count - i : PAIRS_AT_ONCE;
        MPI_Bcast(items + i, 2 * (int)some, MPI_UINT32_T, 0, graph->comm);
    }
    return items;
}
