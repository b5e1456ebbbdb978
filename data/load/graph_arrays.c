/*
 * graph_arrays.c - edges into buckets and lists, as a text's; or lists as they are.
 *
 * 1. Each thread takes pieces of the edges: the first time for the largest id, then into buckets.
 * 2. Each piece is a segment, so edge_lists.c puts the targets into the order of the arrays.
 */
#include "graph_arrays.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "data/graph/edge_ids.h"
#include "data/graph/edge_lists.h"
#include "data/graph/parallel.h"
#include "data/read/load_memory.h"
#include <stdlib.h>
#include <string.h>

#define PLACE_EDGES "edges" /* the places in messages */
#define PLACE_LISTS "lists"
#define FEW_EDGES   65536 /* one thread is enough */
#define THREADS_MAX 64
#define CHECK_EACH  (1 << 16) /* edges between two looks at the flag to cancel */

struct sorting {
    const struct graph_edge_arrays *edges;
    const struct graph_options *options;
    unsigned threads;
    struct edge_writer writers[THREADS_MAX];
    struct edge_segment segments[THREADS_MAX];
    uint64_t largest[THREADS_MAX]; /* id of each piece */
    atomic_bool failed;
    struct id_set ids;
};

static inline uint64_t id_at(const void *ids, unsigned bits, uint64_t index)
{
    return bits == 64 ? ((const uint64_t *)ids)[index] : ((const uint32_t *)ids)[index];
}

/* The edges of a piece. */
static void piece_of(const struct sorting *sorting, size_t index, uint64_t *begin, uint64_t *end)
{
    const uint64_t count = sorting->edges->count, share = count / sorting->threads;
    *begin = share * index;
    *end = index + 1 == sorting->threads ? count : share * (index + 1);
}

static void find_largest(void *context, unsigned number, size_t index)
{
    (void)number;
    struct sorting *sorting = context;
    const struct graph_edge_arrays *edges = sorting->edges;
    uint64_t begin, end, largest = 0;
    piece_of(sorting, index, &begin, &end);
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t source = id_at(edges->sources, edges->id_bits, i);
        const uint64_t target = id_at(edges->targets, edges->id_bits, i);
        largest = source > largest ? source : largest;
        largest = target > largest ? target : largest;
    }
    sorting->largest[index] = largest;
}

/* Drop the edges of a piece into the buckets of a thread. */
static void drop_piece(void *context, unsigned number, size_t index)
{
    struct sorting *sorting = context;
    const struct graph_edge_arrays *edges = sorting->edges;
    const struct graph_options *options = sorting->options;
    struct edge_writer *writer = &sorting->writers[number];
    const struct edge_layout layout = writer->layout;
    uint64_t begin, end;
    piece_of(sorting, index, &begin, &end);
    for (uint64_t i = begin; i < end; i++) {
        if (i % CHECK_EACH == 0 && cancel_is_set(options->cancel)) {
            break;
        }
        const uint32_t source = (uint32_t)id_at(edges->sources, edges->id_bits, i);
        const uint32_t target = (uint32_t)id_at(edges->targets, edges->id_bits, i);
        if (options->undirected || !options->reverse) {
            edge_writer_put(writer, layout, source, target);
        }
        if (options->undirected ? source != target : options->reverse) {
            edge_writer_put(writer, layout, target, source);
        }
    }
    sorting->segments[index].writer = number;
    if (!edge_writer_close_segment(writer, &sorting->segments[index])) {
        atomic_store(&sorting->failed, true);
    }
}

/* The count of ids, one past the largest. False with error set if one is too large. */
static bool find_limit(struct sorting *sorting, uint64_t *limit, struct graph_error *error)
{
    const struct graph_edge_arrays *edges = sorting->edges;
    const bool is_declared = edges->node_count > 0 && !sorting->options->compact;
    const uint64_t most = is_declared ? edges->node_count : (uint64_t)GRAPH_NODE_MAX + 1;
    uint64_t largest = 0;
    if (most > (uint64_t)GRAPH_NODE_MAX + 1) {
        return graph_fail(error, PLACE_EDGES, "%llu nodes are more than 4294967295",
                          (unsigned long long)most);
    }
    parallel_each(sorting->threads, sorting->threads, find_largest, sorting);
    for (unsigned i = 0; i < sorting->threads; i++) {
        largest = sorting->largest[i] > largest ? sorting->largest[i] : largest;
    }
    if (edges->count > 0 && largest >= most) {
        return graph_fail(error, PLACE_EDGES, "id %llu is outside 0..%llu",
                          (unsigned long long)largest, (unsigned long long)most - 1);
    }
    *limit = is_declared ? most : edges->count > 0 ? largest + 1 : 0;
    return true;
}

/* False with error set if a graph of this size does not fit. */
static bool fits(const struct graph_options *options, uint64_t nodes, uint64_t edges,
                 unsigned threads, const char *place, struct graph_error *error)
{
    struct graph_options used = *options;
    struct load_memory memory;
    const struct load_size size = {
        .nodes = nodes, .edges = edges, .estimate = edges, .is_sparse = !options->compact};
    used.build_reverse = true;
    used.keep_reverse = false;
    load_memory_start(&memory, place, &used, threads);
    return load_memory_check(&memory, &size, error);
}

static bool fail_memory(struct graph_error *error, const char *place)
{
    return graph_fail(error, place, "out of memory");
}

/* Why edges could not be sorted. */
static bool fail_edges(const struct sorting *sorting, struct graph_error *error)
{
    return cancel_is_set(sorting->options->cancel) ? graph_fail(error, PLACE_EDGES, "interrupted")
                                                   : fail_memory(error, PLACE_EDGES);
}

/* Number the ids in use from 0. */
static bool renumber(struct sorting *sorting, uint64_t *limit)
{
    if (*limit > 0 && !edge_ids_collect(sorting->writers, sorting->threads, *limit,
                                        sorting->options->cancel, &sorting->ids)) {
        return false;
    }
    *limit = sorting->ids.count;
    return true;
}

/* The edges that were dropped become lists. */
static bool build_lists(struct sorting *sorting, uint64_t limit, struct graph *graph,
                        struct graph_error *error)
{
    const bool compact = sorting->options->compact;
    if (compact && !renumber(sorting, &limit)) {
        return fail_edges(sorting, error);
    }
    const uint64_t count = edge_writers_count(sorting->writers, sorting->threads);
    if (!fits(sorting->options, limit, count, sorting->threads, PLACE_EDGES, error)) {
        return false;
    }
    graph->node_limit = (uint32_t)limit;
    graph->edge_count = count;
    graph->offsets = graph_map_array(graph, limit + 1, sizeof(*graph->offsets));
    graph->neighbours = graph_map_array(graph, count, sizeof(*graph->neighbours));
    if (compact) {
        graph->original_ids = graph_map_array(graph, limit, sizeof(*graph->original_ids));
    }
    if (graph->offsets == NULL || graph->neighbours == NULL ||
        (compact && graph->original_ids == NULL)) {
        return fail_memory(error, PLACE_EDGES);
    }
    if (compact && limit > 0) {
        id_set_list(&sorting->ids, graph->original_ids);
    }
    const struct edge_rows rows = {
        count, limit, graph->offsets, graph->neighbours, true, sorting->options->cancel};
    return limit == 0 ||
           edge_writers_build(sorting->writers, sorting->threads, sorting->segments,
                              sorting->threads, compact ? &sorting->ids : NULL, &rows) ||
           fail_edges(sorting, error);
}

/* Drop all edges into buckets. */
static bool drop_edges(struct sorting *sorting, uint64_t limit, struct graph_error *error)
{
    const struct edge_layout layout =
        sorting->options->compact ? edge_layout_sparse(limit) : edge_layout_for(limit, limit);
    bool made = true;
    for (unsigned i = 0; made && i < sorting->threads; i++) {
        made = edge_writer_init(&sorting->writers[i], layout, (size_t)(limit >> layout.shift) + 1,
                                sorting->edges->count / sorting->threads);
    }
    if (made) {
        parallel_each(sorting->threads, sorting->threads, drop_piece, sorting);
    }
    if (cancel_is_set(sorting->options->cancel)) {
        return fail_edges(sorting, error);
    }
    for (unsigned i = 0; made && i < sorting->threads; i++) {
        made = !sorting->writers[i].failed;
    }
    return (made && !atomic_load(&sorting->failed)) || fail_memory(error, PLACE_EDGES);
}

bool graph_from_edges(const struct graph_edge_arrays *edges, const struct graph_options *options,
                      struct graph *graph, struct graph_error *error)
{
    struct sorting *sorting = calloc(1, sizeof(*sorting));
    uint64_t limit = 0;
    *graph = (struct graph){0};
    *error = (struct graph_error){0};
    pw_assert(edges->id_bits == 32 || edges->id_bits == 64);
    if (sorting == NULL) {
        return fail_memory(error, PLACE_EDGES);
    }
    const unsigned wanted = edges->count < FEW_EDGES ? 1 : parallel_count(options->threads);
    sorting->edges = edges;
    sorting->options = options;
    sorting->threads = wanted < THREADS_MAX ? wanted : THREADS_MAX;
    const bool done = find_limit(sorting, &limit, error) &&
                      fits(options, options->compact ? 0 : limit, edges->count, sorting->threads,
                           PLACE_EDGES, error) &&
                      drop_edges(sorting, limit, error) &&
                      build_lists(sorting, limit, graph, error);
    for (unsigned i = 0; i < sorting->threads; i++) {
        edge_writer_free(&sorting->writers[i]);
        free(sorting->segments[i].counts);
    }
    id_set_free(&sorting->ids);
    free(sorting);
    if (!done) {
        graph_free(graph);
    }
    pw_assert(!done || graph_check(graph));
    return done;
}

/* Lists ---------------------------------------------------------------------------------------- */

/* The graph's offsets: the caller's, or a copy. */
static bool take_offsets(const struct graph_csr_arrays *csr, struct graph *graph)
{
    const uint64_t count = csr->node_count + 1;
    if (csr->is_borrowed && csr->offset_bits == 64) {
        graph->offsets = (uint64_t *)csr->offsets;
        return true;
    }
    graph->offsets = graph_map_array(graph, count, sizeof(*graph->offsets));
    for (uint64_t i = 0; graph->offsets != NULL && i < count; i++) {
        graph->offsets[i] = id_at(csr->offsets, csr->offset_bits, i);
    }
    return graph->offsets != NULL;
}

/* The graph's neighbours: the caller's, or a copy. *too_large is set to an id that 32 bits do not
 * hold. */
static bool take_neighbours(const struct graph_csr_arrays *csr, struct graph *graph,
                            uint64_t *too_large)
{
    const uint64_t count = graph->edge_count;
    if (csr->is_borrowed && csr->id_bits == 32 && count > 0) {
        graph->neighbours = (uint32_t *)csr->neighbours;
        return true;
    }
    graph->neighbours = graph_map_array(graph, count, sizeof(*graph->neighbours));
    if (graph->neighbours != NULL && csr->id_bits == 32 && count > 0) {
        memcpy(graph->neighbours, csr->neighbours, (size_t)count * sizeof(*graph->neighbours));
    } else if (graph->neighbours != NULL && count > 0) {
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t id = id_at(csr->neighbours, 64, i);
            *too_large = id > GRAPH_NODE_MAX ? id : *too_large;
            graph->neighbours[i] = (uint32_t)id;
        }
    }
    return graph->neighbours != NULL;
}

/* Set error to the first neighbour that is no node. */
static bool fail_neighbour(const struct graph *graph, struct graph_error *error)
{
    uint64_t at = 0;
    while (at + 1 < graph->edge_count && graph_has_node(graph, graph->neighbours[at])) {
        at++;
    }
    return graph_fail(error, PLACE_LISTS, "neighbour %lu of entry %llu is not one of %lu nodes",
                      (unsigned long)graph->neighbours[at], (unsigned long long)at,
                      (unsigned long)graph->node_limit);
}

static bool take_lists(const struct graph_csr_arrays *csr, const struct graph_options *options,
                       struct graph *graph, struct graph_error *error)
{
    uint64_t too_large = 0;
    graph->node_limit = (uint32_t)csr->node_count;
    if (!fits(options, csr->node_count, 0, 1, PLACE_LISTS, error)) {
        return false;
    }
    if (!graph_use_storage(graph) || !take_offsets(csr, graph)) {
        return fail_memory(error, PLACE_LISTS);
    }
    if (graph->offsets[0] != 0 || !graph_offsets_ascend(graph->offsets, csr->node_count + 1)) {
        return graph_fail(error, PLACE_LISTS, "the offsets do not ascend from 0");
    }
    graph->edge_count = graph->offsets[csr->node_count];
    if (graph->edge_count > 0 && csr->neighbours == NULL) {
        return graph_fail(error, PLACE_LISTS, "there are no neighbours, but offsets for %llu",
                          (unsigned long long)graph->edge_count);
    }
    if (!fits(options, csr->node_count, graph->edge_count, 1, PLACE_LISTS, error)) {
        return false;
    }
    if (!take_neighbours(csr, graph, &too_large)) {
        return fail_memory(error, PLACE_LISTS);
    }
    if (too_large > 0) {
        return graph_fail(error, PLACE_LISTS, "neighbour %llu is not one of %lu nodes",
                          (unsigned long long)too_large, (unsigned long)graph->node_limit);
    }
    return graph_holds_nodes(graph, graph->neighbours, graph->edge_count) ||
           fail_neighbour(graph, error);
}

bool graph_from_csr(const struct graph_csr_arrays *csr, const struct graph_options *options,
                    struct graph *graph, struct graph_error *error)
{
    *graph = (struct graph){0};
    *error = (struct graph_error){0};
    pw_assert(csr->offsets != NULL);
    if (csr->node_count > (uint64_t)GRAPH_NODE_MAX + 1) {
        return graph_fail(error, PLACE_LISTS, "%llu nodes are more than 4294967295",
                          (unsigned long long)csr->node_count);
    }
    const bool done = take_lists(csr, options, graph, error);
    if (!done) {
        graph_free(graph);
    }
    pw_assert(!done || graph_check(graph));
    return done;
}
