/*
 * id_order.c - see id_order.h.
 */
#include "id_order.h"
#include "base/pw_assert.h"
#include "graph_blocks.h"
#include <stdlib.h>
#include <string.h>

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* List the nodes by original id if the ids are the numbers of the nodes in another order. False if
 * an id is no such number, or occurs twice. */
static bool place_by_id(const struct graph *graph, uint32_t *order)
{
    const uint32_t first = graph->first_node;
    memset(order, 0xff, graph_node_count(graph) * sizeof(*order)); /* no node */
    for (uint32_t u = first; u < graph->node_limit; u++) {
        const uint32_t id = graph->original_ids[u];
        if (!graph_has_node(graph, id) || order[id - first] != GRAPH_NODE_NONE) {
            return false;
        }
        order[id - first] = u;
    }
    return true;
}

/* List the nodes by original id, whatever these are. False when out of memory. */
static bool sort_by_id(const struct graph *graph, uint32_t *order)
{
    const size_t count = graph_node_count(graph);
    uint64_t *pairs = malloc(count * sizeof(*pairs));
    if (pairs == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = graph->first_node + i;
        pairs[i] = (uint64_t)graph->original_ids[node] << 32 | node;
    }
    qsort(pairs, count, sizeof(*pairs), compare_pairs);
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)pairs[i];
    }
    free(pairs);
    return true;
}

uint32_t *id_order_make(const struct graph *graph)
{
    uint32_t *order = calloc(graph_node_count(graph) + (size_t)1, sizeof(*order));
    pw_assert(graph->original_ids != NULL);
    if (order != NULL && !place_by_id(graph, order) && !sort_by_id(graph, order)) {
        free(order);
        return NULL;
    }
    pw_assert(order == NULL || id_order_holds(graph, order));
    return order;
}

bool id_order_holds(const struct graph *graph, const uint32_t *order)
{
    for (uint32_t i = 0; i < graph_node_count(graph); i++) {
        if (!graph_has_node(graph, order[i]) ||
            (i > 0 && graph->original_ids[order[i - 1]] > graph->original_ids[order[i]])) {
            return false;
        }
    }
    return true;
}

/* The node at a place of the order, and its id. False if a bad block is in the way. */
static bool look(const struct graph *graph, const uint32_t *order, uint64_t place, uint32_t *node,
                 uint32_t *id)
{
    *node = graph->first_node + (uint32_t)place;
    if (order != NULL) {
        if (order == graph->id_order && !graph_allows(graph, order + place, sizeof(*order))) {
            return false;
        }
        *node = order[place];
    }
    if (!graph_allows(graph, graph->original_ids + *node, sizeof(*id))) {
        return false;
    }
    *id = graph->original_ids[*node];
    return true;
}

bool id_order_find(const struct graph *graph, const uint32_t *order, uint64_t id, uint32_t *node)
{
    uint64_t low = 0, high = graph_node_count(graph);
    uint64_t place = id - graph->first_node; /* its place, if the ids are numbers of nodes */
    uint32_t found = 0;
    pw_assert(graph->original_ids != NULL);
    while (low < high) {
        place = place >= low && place < high ? place : low + (high - low) / 2;
        if (!look(graph, order, place, node, &found)) {
            return false;
        }
        if (found == id) {
            return true;
        }
        if (found < id) {
            low = place + 1;
        } else {
            high = place;
        }
        place = low + (high - low) / 2;
    }
    return false;
}
