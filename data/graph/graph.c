/*
 * graph.c - the arrays of a graph, their check and their end.
 */
#include "graph.h"
#include "base/pw_assert.h"
#include "graph_memory.h"
#include "graph_origin.h"
#include <stdlib.h>
#include <string.h>

bool graph_use_storage(struct graph *graph)
{
    if (graph->storage == NULL) {
        graph->storage = calloc(1, sizeof(*graph->storage));
    }
    return graph->storage != NULL;
}

bool graph_adopt(struct graph *graph, void *base, size_t length)
{
    struct graph_storage *storage = graph_use_storage(graph) ? graph->storage : NULL;
    if (storage == NULL || storage->mapping_count == GRAPH_MAPPING_MAX) {
        memory_unmap(base, length);
        return false;
    }
    pw_assert(base != NULL && graph->storage->mapping_count < GRAPH_MAPPING_MAX);
    storage->mappings[storage->mapping_count].base = base;
    storage->mappings[storage->mapping_count++].length = length;
    return true;
}

void *graph_map_array(struct graph *graph, uint64_t count, size_t size)
{
    size_t length;
    pw_assert(size > 0);
    if (__builtin_mul_overflow(count > 0 ? count : 1, size, &length)) {
        return NULL;
    }
    void *base = memory_map(length, true);
    return base != NULL && graph_adopt(graph, base, length) ? base : NULL;
}

void graph_free(struct graph *graph)
{
    struct graph_storage *storage = graph->storage;
    pw_assert(storage == NULL || storage->mapping_count <= GRAPH_MAPPING_MAX);
    if (storage == NULL) {
        free(graph->offsets);
        free(graph->neighbours);
        free(graph->in_offsets);
        free(graph->in_neighbours);
    }
    for (size_t i = 0; storage != NULL && i < storage->mapping_count; i++) {
        memory_unmap(storage->mappings[i].base, storage->mappings[i].length);
    }
    if (storage != NULL && storage->release != NULL) {
        storage->release(graph->blocks);
    }
    free(storage);
    graph_names_free(graph->names);
    graph_origin_free(graph->origin);
    memset(graph, 0, sizeof(*graph));
}

bool graph_offsets_ascend(const uint64_t *offsets, uint64_t count)
{
    bool ascending = true;
    for (uint64_t i = 1; i < count; i++) {
        ascending &= offsets[i - 1] <= offsets[i];
    }
    return ascending;
}

bool graph_holds_nodes(const struct graph *graph, const uint32_t *nodes, uint64_t count)
{
    uint32_t first = graph->first_node, largest = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t place = nodes[i] - first; /* wraps around for a smaller one */
        largest = place > largest ? place : largest;
    }
    return count == 0 || largest < graph_node_count(graph);
}

static bool lists_hold(const struct graph *graph, const uint64_t *offsets,
                       const uint32_t *neighbours)
{
    uint32_t limit = graph->node_limit;
    return offsets[0] == 0 && offsets[graph->first_node] == 0 &&
           offsets[limit] == graph->edge_count &&
           graph_offsets_ascend(offsets, (uint64_t)limit + 1) &&
           graph_holds_nodes(graph, neighbours, graph->edge_count);
}

bool graph_check(const struct graph *graph)
{
    return graph->first_node <= 1 && lists_hold(graph, graph->offsets, graph->neighbours) &&
           (graph->in_offsets == NULL ||
            lists_hold(graph, graph->in_offsets, graph->in_neighbours)) &&
           (graph->names == NULL || graph_names_check(graph->names));
}
