/*
 * graph.c - what a graph can do once it is there: its labels, its end.
 */
#include "graph.h"

#include "graph_memory.h"
#include "graph_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void graph_free(struct graph *graph)
{
    struct graph_storage *storage = graph->storage;
    if (storage == NULL) {
        free(graph->offsets);
        free(graph->neighbours);
        free(graph->in_offsets);
        free(graph->in_neighbours);
    }
    for (size_t i = 0; storage != NULL && i < storage->mapping_count; i++) {
        memory_unmap(storage->mappings[i].base, storage->mappings[i].length);
    }
    free(storage);
    graph_names_free(graph->names);
    memset(graph, 0, sizeof(*graph));
}

const char *graph_label(const struct graph *graph, uint32_t node, char text[GRAPH_LABEL_SIZE])
{
    uint32_t id = graph_original_id(graph, node);
    const struct graph_names *names = graph->names;
    if (names != NULL && id >= names->first_id && id - names->first_id < names->count &&
        names->begins[id - names->first_id + 1] - names->begins[id - names->first_id] > 1) {
        return names->text + names->begins[id - names->first_id];
    }
    snprintf(text, GRAPH_LABEL_SIZE, "%lu", (unsigned long)id);
    return text;
}
