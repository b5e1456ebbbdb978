/*
 * graph_label.c - names, pages and labels of nodes, also of a graph that is read by block.
 */
#include "base/pw_assert.h"
#include "graph_blocks.h"
#include "graph_origin.h"
#include <stdio.h>

uint32_t graph_original_id(const struct graph *graph, uint32_t node)
{
    pw_assert(node < graph->node_limit);
    if (graph->original_ids == NULL) {
        return node;
    }
    const uint32_t *id = graph->original_ids + node;
    return graph_allows(graph, id, sizeof(*id)) ? *id : GRAPH_NODE_NONE;
}

uint32_t graph_page(const struct graph *graph, uint32_t id)
{
    const struct graph_names *names = graph->names;
    const struct graph_origin *origin = graph->origin;
    if (names == NULL || origin == NULL || origin->page_ids == NULL) {
        return 0;
    }
    const uint32_t number = id - names->first_id;
    return number < names->count && graph_allows(graph, origin->page_ids + number, sizeof(number))
               ? origin->page_ids[number]
               : 0;
}

const char *graph_name_text(const struct graph *graph, const struct graph_names *names,
                            uint32_t number, size_t *length)
{
    const uint64_t *ends = names->begins + number;
    pw_assert(number < names->count);
    *length = 0;
    if (!graph_allows(graph, ends, 2 * sizeof(*ends)) || ends[0] >= ends[1] ||
        !graph_allows(graph, names->text + ends[0], ends[1] - ends[0]) ||
        names->text[ends[1] - 1] != '\0') {
        return "";
    }
    *length = (size_t)(ends[1] - ends[0]) - 1;
    return names->text + ends[0];
}

const char *graph_name(const struct graph *graph, uint32_t node)
{
    pw_assert(node < graph->node_limit);
    const uint32_t id = graph_original_id(graph, node);
    const struct graph_names *names = graph->names;
    size_t length = 0;
    const char *name = NULL;
    if (names != NULL && id >= names->first_id && id - names->first_id < names->count) {
        name = graph_name_text(graph, names, id - names->first_id, &length);
    }
    return length > 0 ? name : NULL;
}

const char *graph_label(const struct graph *graph, uint32_t node, char text[GRAPH_LABEL_SIZE])
{
    const char *name = graph_name(graph, node);
    if (name != NULL) {
        return name;
    }
    const uint32_t id = graph_original_id(graph, node);
    const uint32_t page = graph_page(graph, id);
    snprintf(text, GRAPH_LABEL_SIZE, "%lu", (unsigned long)(page != 0 ? page : id));
    return text;
}
