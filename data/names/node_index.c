/*
 * node_index.c - binary search over original ids.
 */
#include "node_index.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "data/graph/name_buckets.h"
#include <stdlib.h>
#include <string.h>

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* List the nodes by original id if these are the ids of the nodes in another order. False if an id
 * is none of them, or occurs twice. */
static bool place_by_id(struct node_index *index)
{
    const struct graph *graph = index->graph;
    const uint32_t first = graph->first_node;
    memset(index->order, 0xff, graph_node_count(graph) * sizeof(*index->order)); /* no node */
    for (uint32_t u = first; u < graph->node_limit; u++) {
        const uint32_t id = graph->original_ids[u];
        if (!graph_has_node(graph, id) || index->order[id - first] != GRAPH_NODE_NONE) {
            return false;
        }
        index->order[id - first] = u;
    }
    return true;
}

/* List the nodes by original id, whatever these are. False when out of memory. */
static bool sort_by_id(struct node_index *index)
{
    const struct graph *graph = index->graph;
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
        index->order[i] = (uint32_t)pairs[i];
    }
    free(pairs);
    return true;
}

bool node_index_init(struct node_index *index, const struct graph *graph)
{
    uint32_t first = graph->first_node, limit = graph->node_limit;
    bool ascending = true;
    *index = (struct node_index){graph, NULL};
    const bool has_order = graph->origin != NULL && graph->origin->order != NULL;
    if (graph->names != NULL && graph->names->buckets == NULL && !has_order &&
        !graph_names_prepare(graph->names)) {
        return false;
    }
    for (uint32_t u = first; graph->original_ids != NULL && u + 1 < limit; u++) {
        ascending &= graph->original_ids[u] < graph->original_ids[u + 1];
    }
    if (ascending) {
        return true;
    }
    index->order = calloc(limit - first, sizeof(*index->order));
    if (index->order == NULL || (!place_by_id(index) && !sort_by_id(index))) {
        node_index_free(index);
        return false;
    }
    pw_assert(node_index_check(index));
    return true;
}

bool node_index_check(const struct node_index *index)
{
    const struct graph *graph = index->graph;
    for (uint32_t i = 0; index->order != NULL && i < graph_node_count(graph); i++) {
        const uint32_t *order = index->order;
        if (!graph_has_node(graph, order[i]) ||
            (i > 0 && graph->original_ids[order[i - 1]] > graph->original_ids[order[i]])) {
            return false;
        }
    }
    return true;
}

void node_index_free(struct node_index *index)
{
    free(index->order);
    index->order = NULL;
}

/* The node with an original id. False when there is none. */
static bool find_id(const struct node_index *index, uint64_t id, uint32_t *node)
{
    const struct graph *graph = index->graph;
    if (graph->original_ids == NULL) {
        *node = (uint32_t)id;
        return id <= UINT32_MAX && graph_has_node(graph, (uint32_t)id);
    }
    size_t low = 0, high = graph->node_limit - graph->first_node;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t found =
            index->order != NULL ? index->order[middle] : graph->first_node + (uint32_t)middle;
        if (graph->original_ids[found] == id) {
            *node = found;
            return true;
        }
        if (graph->original_ids[found] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
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

/* The node that is a page of a wiki. False when there is none. */
static bool find_page(const struct node_index *index, uint64_t id, uint32_t *node)
{
    const uint32_t page = (uint32_t)id;
    const struct graph_names *names = index->graph->names;
    const uint32_t *pages = index->graph->origin->page_ids;
    if (!graph_allows(index->graph, pages, (uint64_t)names->count * sizeof(*pages))) {
        return false;
    }
    const uint32_t *at = bsearch(&page, pages, names->count, sizeof(*pages), compare_pages);
    return page == id && at != NULL &&
           find_id(index, names->first_id + (uint64_t)(at - pages), node);
}

bool node_index_find_name(const struct node_index *index, const char *text, size_t length,
                          uint32_t *node)
{
    struct graph_names *names = index->graph->names;
    uint32_t number = 0;
    const bool is_found =
        names == NULL ? false
        : names->buckets != NULL
            ? name_buckets_find(index->graph, text, length, &number)
            : names->slots != NULL && graph_names_find(names, text, length, &number);
    return is_found && find_id(index, (uint64_t)names->first_id + number, node);
}

bool node_index_find(const struct node_index *index, const char *text, size_t length,
                     uint32_t *node)
{
    if (node_index_find_name(index, text, length, node)) {
        return true;
    }
    uint64_t id = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || id > UINT32_MAX) {
            return false;
        }
        id = id * 10 + (uint64_t)(text[i] - '0');
    }
    return length > 0 && (node_index_has_pages(index->graph) ? find_page(index, id, node)
                                                             : find_id(index, id, node));
}
