/*
 * make.c - a graph from arrays of the caller, and a graph as a snapshot.
 */
#include "data/load/graph_arrays.h"
#include "data/store/graph_snapshot.h"
#include "held_graph.h"

/* Take the options that arrays can have. False with error set if another one is given. */
static bool take_options(struct graph_options *wanted, const struct pwgraph_options *given,
                         bool has_lists, struct pwgraph_error *error)
{
    struct pwgraph_options taken;
    if (!pwgraph_take_options(&taken, given, error)) {
        return false;
    }
    if (taken.names != NULL || taken.format != NULL || taken.cache != NULL || taken.by_block ||
        taken.progress != NULL || taken.note != NULL ||
        (has_lists && (taken.undirected || taken.reverse || taken.compact))) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "options: %s",
                            has_lists ? "lists take a memory limit, threads and cancel only"
                                      : "edges in memory have no names, format, cache, blocks, "
                                        "progress or notes");
    }
    *wanted = pwgraph_graph_options(&taken);
    return true;
}

static bool has_width(unsigned bits)
{
    return bits == 32 || bits == 64;
}

struct pwgraph *pwgraph_from_edges(const void *sources, const void *targets, uint64_t count,
                                   unsigned id_bits, uint64_t node_count,
                                   const struct pwgraph_options *options,
                                   struct pwgraph_error *error)
{
    const struct graph_edge_arrays edges = {sources, targets, count, id_bits, node_count};
    struct graph_options wanted;
    struct graph_error why;
    struct graph graph;
    if (!has_width(id_bits) || (count > 0 && (sources == NULL || targets == NULL))) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "edges: expected two arrays of 32 or 64 bits");
        return NULL;
    }
    if (count > PTRDIFF_MAX / sizeof(uint64_t)) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "edges: no arrays have %llu entries",
                     (unsigned long long)count);
        return NULL;
    }
    if (!take_options(&wanted, options, false, error)) {
        return NULL;
    }
    if (!graph_from_edges(&edges, &wanted, &graph, &why)) {
        pwgraph_fail_as(error, &why, PWGRAPH_BAD_INPUT, wanted.cancel);
        return NULL;
    }
    return pwgraph_finish(&graph, wanted.threads, wanted.cancel, error);
}

struct pwgraph *pwgraph_from_csr(const void *offsets, unsigned offset_bits, const void *neighbours,
                                 unsigned id_bits, uint64_t node_count, enum pwgraph_keep keep,
                                 const struct pwgraph_options *options, struct pwgraph_error *error)
{
    const struct graph_csr_arrays csr = {offsets, offset_bits, neighbours,
                                         id_bits, node_count,  keep == PWGRAPH_BORROW};
    struct graph_options wanted;
    struct graph_error why;
    struct graph graph;
    if (!has_width(id_bits) || !has_width(offset_bits) || offsets == NULL) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "lists: expected arrays of 32 or 64 bits");
        return NULL;
    }
    if (keep != PWGRAPH_COPY && keep != PWGRAPH_BORROW) {
        pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "lists: %d is not a way to keep them", (int)keep);
        return NULL;
    }
    if (!take_options(&wanted, options, true, error)) {
        return NULL;
    }
    if (!graph_from_csr(&csr, &wanted, &graph, &why)) {
        pwgraph_fail_as(error, &why, PWGRAPH_BAD_INPUT, NULL);
        return NULL;
    }
    return pwgraph_finish(&graph, wanted.threads, wanted.cancel, error);
}

bool pwgraph_save(const struct pwgraph *graph, const char *path, const volatile int *cancel,
                  struct pwgraph_error *error)
{
    struct graph_error why = {0};
    if (path == NULL) {
        return pwgraph_fail(error, PWGRAPH_BAD_ARGUMENT, "path: NULL");
    }
    if (graph_snapshot_save(&graph->graph, path, NULL, 0, cancel, &why)) {
        return true;
    }
    return !pwgraph_is_damaged(graph, error) &&
           pwgraph_fail_as(error, &why, PWGRAPH_NOT_WRITTEN, cancel);
}
