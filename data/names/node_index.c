/*
 * node_index.c - see node_index.h.
 */
#include "node_index.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "data/graph/id_order.h"
#include "data/graph/name_buckets.h"
#include <stdlib.h>

bool node_index_init(struct node_index *index, const struct graph *graph)
{
    uint32_t first = graph->first_node, limit = graph->node_limit;
    bool ascending = true;
    *index = (struct node_index){graph, NULL};
    if (graph->names != NULL && !name_buckets_prepare(graph->names)) {
        return false;
    }
    if (graph->original_ids == NULL || graph->id_order != NULL) {
        return true;
    }
    for (uint32_t u = first; u + 1 < limit; u++) {
        ascending &= graph->original_ids[u] < graph->original_ids[u + 1];
    }
    index->order = ascending ? NULL : id_order_make(graph);
    return ascending || index->order != NULL;
}

bool node_index_check(const struct node_index *index)
{
    return index->order == NULL || id_order_holds(index->graph, index->order);
}

void node_index_free(struct node_index *index)
{
    free(index->order);
    index->order = NULL;
}

bool node_index_find_id(const struct node_index *index, uint64_t id, uint32_t *node)
{
    const struct graph *graph = index->graph;
    if (graph->original_ids == NULL) {
        *node = (uint32_t)id;
        return id <= UINT32_MAX && graph_has_node(graph, (uint32_t)id);
    }
    return id_order_find(graph, graph->id_order != NULL ? graph->id_order : index->order, id, node);
}

bool node_index_at(const struct node_index *index, uint32_t place, uint32_t *node)
{
    const struct graph *graph = index->graph;
    pw_assert(place < graph_node_count(graph));
    *node = graph->first_node + place;
    if (graph->id_order != NULL) {
        if (!graph_allows(graph, graph->id_order + place, sizeof(*graph->id_order))) {
            return false;
        }
        *node = graph->id_order[place];
    } else if (index->order != NULL) {
        *node = index->order[place];
    }
    return graph_has_node(graph, *node);
}

bool node_index_has_pages(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->page_ids != NULL;
}

static int compare_pages(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The node that is a page of a wiki. */
static bool find_page(const struct node_index *index, uint64_t id, uint32_t *node)
{
    const uint32_t page = (uint32_t)id;
    const struct graph_names *names = index->graph->names;
    if (!node_index_has_pages(index->graph)) {
        return false;
    }
    const uint32_t *pages = index->graph->origin->page_ids;
    if (!graph_allows(index->graph, pages, (uint64_t)names->count * sizeof(*pages))) {
        return false;
    }
    const uint32_t *at = bsearch(&page, pages, names->count, sizeof(*pages), compare_pages);
    return page == id && at != NULL &&
           node_index_find_id(index, names->first_id + (uint64_t)(at - pages), node);
}

bool node_index_find_name(const struct node_index *index, const char *text, size_t length,
                          uint32_t *node)
{
    const struct graph *graph = index->graph;
    uint32_t number;
    return graph->names != NULL && name_buckets_find(graph, text, length, &number) &&
           node_index_find_id(index, (uint64_t)graph->names->first_id + number, node);
}

/* Read digits that fill a text. */
static bool read_number(const char *text, size_t length, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || *number > UINT32_MAX) {
            return false;
        }
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    }
    return length > 0;
}

bool node_index_is_numbered(const char *text, size_t length)
{
    uint64_t number;
    return length > 1 && *text == '#' && read_number(text + 1, length - 1, &number);
}

bool node_index_find_number(const struct node_index *index, const char *text, size_t length,
                            uint32_t *node)
{
    const struct graph *graph = index->graph;
    uint64_t number;
    if (length > 1 && *text == '#') {
        return read_number(text + 1, length - 1, &number) &&
               node_index_find_id(index, number, node);
    }
    if (!read_number(text, length, &number)) {
        return false;
    }
    if (node_index_has_pages(graph)) {
        return find_page(index, number, node);
    }
    uint32_t found;
    if (!node_index_find_id(index, number, &found) ||
        (graph->names != NULL && graph_name(graph, found) != NULL)) {
        return false; /* a name is not the number of its node */
    }
    *node = found;
    return true;
}

bool node_index_find(const struct node_index *index, const char *text, size_t length,
                     uint32_t *node)
{
    return node_index_find_name(index, text, length, node) ||
           node_index_find_number(index, text, length, node);
}
