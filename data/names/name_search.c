/*
 * name_search.c - the matches of a range of the order, and the first of them in another order.
 */
#include "name_search.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "name_fold.h"
#include <string.h>

#define COMPLETED_MAX 100000 /* names to look at */

/* The matches of a search for a start, as they are found. */
struct gathering {
    const struct name_order *order;
    enum name_first first;
    uint32_t *nodes; /* a heap, the last at its top */
    size_t count, capacity;
    size_t total;
};

/* The length of a node's list; 0 if a bad block of the snapshot is in the way. */
static uint64_t length_of(const struct graph *graph, const uint64_t *offsets, uint32_t node)
{
    return offsets != NULL && graph_allows_ends(graph, offsets, node)
               ? offsets[node + 1] - offsets[node]
               : 0;
}

static uint64_t degree_of(const struct graph *graph, uint32_t node)
{
    return length_of(graph, graph->offsets, node) + length_of(graph, graph->in_offsets, node);
}

/* True if one node comes before another in the order that is asked for. */
static bool is_before(const struct gathering *gathering, uint32_t a, uint32_t b)
{
    const struct graph *graph = gathering->order->index->graph;
    if (gathering->first == NAME_FIRST_DEGREE) {
        const uint64_t one = degree_of(graph, a), other = degree_of(graph, b);
        return one != other ? one > other : a < b;
    }
    char one[GRAPH_LABEL_SIZE], other[GRAPH_LABEL_SIZE];
    const int order = strcmp(graph_label(graph, a, one), graph_label(graph, b, other));
    return order != 0 ? order < 0 : a < b;
}

/* Let a node sink in the heap of `count` nodes, from place at. */
static void sink(struct gathering *gathering, size_t at, size_t count)
{
    uint32_t *nodes = gathering->nodes;
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_before(gathering, nodes[child], nodes[child + 1]);
        if (!is_before(gathering, nodes[at], nodes[child])) {
            return;
        }
        const uint32_t node = nodes[at];
        nodes[at] = nodes[child];
        nodes[child] = node;
        at = child;
    }
}

/* Keep a node if it is among the first so far. */
static void keep(struct gathering *gathering, uint32_t node)
{
    uint32_t *nodes = gathering->nodes;
    if (gathering->count < gathering->capacity) {
        nodes[gathering->count++] = node;
        if (gathering->count == gathering->capacity) {
            for (size_t i = gathering->count / 2; i-- > 0;) {
                sink(gathering, i, gathering->count);
            }
        }
    } else if (gathering->capacity > 0 && is_before(gathering, node, nodes[0])) {
        nodes[0] = node;
        sink(gathering, 0, gathering->count);
    }
}

/* Bring the kept nodes into their order. */
static void put_in_order(struct gathering *gathering)
{
    for (size_t i = gathering->count / 2; i-- > 0;) {
        sink(gathering, i, gathering->count);
    }
    for (size_t count = gathering->count; count > 1; count--) {
        const uint32_t last = gathering->nodes[0];
        gathering->nodes[0] = gathering->nodes[count - 1];
        gathering->nodes[count - 1] = last;
        sink(gathering, 0, count - 1);
    }
}

/* The names of the order that have this start: exactly, or else when folded. */
static void gather(struct gathering *gathering, const char *prefix)
{
    const struct name_order *order = gathering->order;
    const uint32_t names = order->index->graph->names->count;
    char wanted[NAME_FOLDED_MAX];
    const size_t wanted_length = name_fold(wanted, sizeof(wanted), prefix, strlen(prefix));
    uint64_t begin, end;
    name_order_range(order, wanted, wanted_length, &begin, &end);
    const bool is_long = end - begin > COMPLETED_MAX;
    const uint64_t stop = is_long ? begin + COMPLETED_MAX : end;
    for (int pass = 0; pass < 2 && gathering->total == 0; pass++) {
        for (uint64_t i = begin; i < stop; i++) {
            size_t length;
            const uint32_t number = name_order_at(order, i);
            const char *name = name_order_text(order->index->graph, number, &length);
            const bool starts = pass == 1 || strncmp(name, prefix, strlen(prefix)) == 0;
            const uint32_t node =
                starts && number < names ? name_order_node(order, number) : GRAPH_NODE_NONE;
            if (node != GRAPH_NODE_NONE) {
                gathering->total++;
                keep(gathering, node);
            }
        }
    }
    if (is_long && gathering->total > 0) {
        gathering->total = (size_t)(end - begin);
    }
    put_in_order(gathering);
    pw_assert(gathering->count <= gathering->capacity && gathering->count <= gathering->total);
}

size_t name_search_first(const struct name_order *order, const char *prefix, enum name_first first,
                         uint32_t *nodes, size_t capacity, size_t *total)
{
    struct gathering gathering = {
        .order = order, .first = first, .nodes = nodes, .capacity = capacity};
    if (order != NULL) {
        gather(&gathering, prefix);
    }
    *total = gathering.total;
    return gathering.count;
}
