/*
 * graph_order.c - makes a permutation of the nodes, and a graph in its order.
 *
 * 1. The permutation lists the old nodes in their new order: sorted by degree, or in the order of a
 *    search that starts again at the next unseen node.
 * 2. The adjacency lists are copied in that order and their ids translated.
 * Source for degree and search orders: Balaji and Lucia, "When is graph reordering an
 * optimization?" (2018).
 */
#include "graph_order.h"
#include "base/pw_assert.h"
#include "data/graph/graph_names.h"
#include "graph_reach.h"
#include <stdlib.h>

const char graph_order_names[] = "none, degree, bfs";

static int compare_descending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Nodes by degree, in and out; equal degrees by id. */
static bool order_by_degree(const struct graph *graph, uint32_t *nodes)
{
    uint32_t first = graph->first_node;
    size_t count = graph_node_count(graph);
    uint64_t *keys = calloc(graph->node_limit + (size_t)1, sizeof(*keys));
    if (keys == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < graph->edge_count; i++) {
        keys[graph->neighbours[i]]++;
    }
    for (uint32_t u = first; u < graph->node_limit; u++) {
        uint64_t degree = keys[u] + graph_out_degree(graph, u);
        degree = degree < UINT32_MAX ? degree : UINT32_MAX;
        keys[u] = degree << 32 | (UINT32_MAX - u); /* a smaller id goes first */
    }
    qsort(keys + first, count, sizeof(*keys), compare_descending);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = UINT32_MAX - (uint32_t)keys[first + i];
    }
    free(keys);
    return true;
}

static bool order_by_search(const struct graph *graph, uint32_t *nodes)
{
    bool *seen = calloc(graph->node_limit + (size_t)1, sizeof(*seen));
    size_t filled = 0;
    uint32_t start = graph->first_node;
    if (seen == NULL) {
        return false;
    }
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        start = graph_out_degree(graph, u) > graph_out_degree(graph, start) ? u : start;
    }
    for (uint32_t next = graph->first_node; filled < graph_node_count(graph);) {
        filled = graph_reach(graph, start, seen, nodes, filled);
        while (next < graph->node_limit && seen[next]) {
            next++;
        }
        start = next;
    }
    free(seen);
    return true;
}

/* The graph in the order of nodes; ranks: room for a number for each node. */
static bool copy_in_order(const struct graph *graph, const uint32_t *nodes, uint32_t *ranks,
                          struct graph *copy)
{
    uint32_t first = graph->first_node;
    copy->first_node = first;
    copy->node_limit = graph->node_limit;
    copy->edge_count = graph->edge_count;
    copy->offsets = graph_map_array(copy, graph->node_limit + (uint64_t)1, sizeof(uint64_t));
    copy->neighbours = graph_map_array(copy, graph->edge_count, sizeof(uint32_t));
    copy->original_ids = graph_map_array(copy, graph->node_limit, sizeof(uint32_t));
    if (copy->offsets == NULL || copy->neighbours == NULL || copy->original_ids == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph_node_count(graph); i++) {
        ranks[nodes[i]] = first + i;
    }
    uint64_t edge = 0;
    for (uint32_t i = 0; i < graph_node_count(graph); i++) {
        uint32_t node = nodes[i];
        copy->offsets[first + i] = edge;
        copy->original_ids[first + i] = graph_original_id(graph, node);
        for (uint64_t k = graph->offsets[node]; k < graph->offsets[node + 1]; k++) {
            copy->neighbours[edge++] = ranks[graph->neighbours[k]];
        }
    }
    copy->offsets[graph->node_limit] = edge;
    pw_assert(edge == graph->edge_count && graph_check(copy));
    return true;
}

/* Hand the mappings of a snapshot over to the copy, because its names lie in them. */
static void keep_mappings(struct graph *graph, struct graph *copy)
{
    struct graph_storage *storage = graph->storage;
    while (storage != NULL && storage->mapping_count > 0) {
        storage->mapping_count--;
        const size_t i = storage->mapping_count;
        graph_adopt(copy, storage->mappings[i].base, storage->mappings[i].length);
    }
}

bool graph_renumber(struct graph *graph, enum graph_order order, struct graph_error *error)
{
    struct graph copy = {0};
    if (order == GRAPH_ORDER_NONE || graph_node_count(graph) == 0) {
        return true;
    }
    uint32_t *nodes = calloc(graph->node_limit + (size_t)1, sizeof(*nodes));
    uint32_t *ranks = calloc(graph->node_limit + (size_t)1, sizeof(*ranks));
    bool done = nodes != NULL && ranks != NULL &&
                (order == GRAPH_ORDER_DEGREE ? order_by_degree(graph, nodes)
                                             : order_by_search(graph, nodes)) &&
                copy_in_order(graph, nodes, ranks, &copy);
    free(nodes);
    free(ranks);
    if (!done) {
        graph_free(&copy);
        return graph_fail(error, "graph", "out of memory for the renumbering");
    }
    if (graph->names != NULL && graph->names->is_mapped) {
        keep_mappings(graph, &copy);
    }
    copy.names = graph->names;
    graph->names = NULL;
    copy.origin = graph->origin;
    graph->origin = NULL;
    graph_free(graph);
    *graph = copy;
    return true;
}
