/*
 * name_order.c - searches in the order of folded names; see name_order.h.
 */
#include "name_order.h"
#include "base/utf8.h"
#include "data/graph/graph_blocks.h"
#include "data/graph/graph_origin.h"
#include "data/graph/id_order.h"
#include "name_fold.h"
#include <string.h>

bool name_order_is_there(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->order != NULL;
}

uint32_t name_order_count(const struct graph *graph)
{
    const struct graph_names *aliases = graph->origin->aliases;
    return graph->names->count + (aliases != NULL ? aliases->count : 0);
}

const char *name_order_text(const struct graph *graph, uint32_t number, size_t *length)
{
    const struct graph_names *names = graph->names;
    if (number >= names->count) {
        number -= names->count;
        names = graph->origin->aliases;
    }
    return graph_name_text(graph, names, number, length);
}

uint32_t name_order_at(const struct graph *graph, uint64_t place)
{
    const uint32_t *number = graph->origin->order + place;
    return graph_allows(graph, number, sizeof(*number)) ? *number : 0;
}

uint32_t name_order_node(const struct graph *graph, uint32_t number)
{
    const uint32_t count = graph->names->count;
    const uint32_t *alias = graph->origin->alias_ids + (number < count ? 0 : number - count);
    if (number >= count && !graph_allows(graph, alias, sizeof(*alias))) {
        return GRAPH_NODE_NONE;
    }
    const uint32_t id = number < count ? graph->names->first_id + number : *alias;
    if (graph->original_ids == NULL) {
        return graph_has_node(graph, id) ? id : GRAPH_NODE_NONE;
    }
    uint32_t node = graph->first_node;
    if (graph->id_order != NULL) {
        return id_order_find(graph, graph->id_order, id, &node) ? node : GRAPH_NODE_NONE;
    }
    while (node < graph->node_limit && graph->original_ids[node] != id) {
        node++;
    }
    return node < graph->node_limit ? node : GRAPH_NODE_NONE;
}

size_t name_order_fold(const struct graph *graph, uint32_t number, char folded[NAME_FOLDED_MAX])
{
    size_t length;
    const char *text = name_order_text(graph, number, &length);
    return name_fold(folded, NAME_FOLDED_MAX, text, length);
}

/* True if the name at a place is before a text, or (past) begins with it, too. */
static bool is_before(const struct graph *graph, uint64_t place, const char *text, size_t length,
                      bool past)
{
    char folded[NAME_FOLDED_MAX];
    const size_t got = name_order_fold(graph, name_order_at(graph, place), folded);
    const int order = memcmp(folded, text, got < length ? got : length);
    return order < 0 || (order == 0 && (past || got < length));
}

uint64_t name_order_bound(const struct graph *graph, const char *text, size_t length, bool past,
                          uint64_t low)
{
    uint64_t high = name_order_count(graph);
    for (uint64_t step = 1; low + step < high; step *= 2) {
        if (is_before(graph, low + step, text, length, past)) {
            low += step;
        } else {
            high = low + step;
        }
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_before(graph, middle, text, length, past)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void name_order_range(const struct graph *graph, const char *folded, size_t length, uint64_t *begin,
                      uint64_t *end)
{
    *begin = name_order_bound(graph, folded, length, false, 0);
    *end = name_order_bound(graph, folded, length, true, *begin);
}

/* A typed text in the form of titles: underscores for spaces. Returns its length. */
static size_t spaced(char out[NAME_FOLDED_MAX], const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        out[i] = (char)(text[i] == '_' ? ' ' : text[i]);
    }
    return length;
}

/* True if a name equals a text except for the case of its first letter; equal when folded. */
static bool is_as_typed(const char *name, size_t name_length, const char *text, size_t length)
{
    uint32_t code;
    size_t x = utf8_decode(name, name_length, &code), y = utf8_decode(text, length, &code);
    x = x > 0 ? x : name_length > 0;
    y = y > 0 ? y : length > 0;
    return x == y && name_length == length && memcmp(name + x, text + x, length - x) == 0;
}

enum name_quality name_order_find(const struct graph *graph, const char *text, size_t length,
                                  uint32_t *number)
{
    char typed[NAME_FOLDED_MAX], wanted[NAME_FOLDED_MAX], own_folded[NAME_FOLDED_MAX];
    uint64_t begin, end;
    uint32_t best_node = GRAPH_NODE_NONE;
    int best = 0; /* quality; last bits: exact? a name? */
    bool is_several = false;
    if (length == 0 || length > NAME_FOLDED_MAX) {
        return NAME_OF_NONE;
    }
    length = spaced(typed, text, length);
    const size_t folded = name_fold(wanted, sizeof(wanted), typed, length);
    name_order_range(graph, wanted, folded, &begin, &end);
    for (uint64_t i = begin; i < end; i++) {
        size_t own_length;
        const uint32_t found = name_order_at(graph, i);
        if (name_order_fold(graph, found, own_folded) != folded) {
            break; /* the longer names follow */
        }
        const char *own = name_order_text(graph, found, &own_length);
        const bool is_alias = found >= graph->names->count;
        const bool same = own_length == length && memcmp(own, typed, length) == 0;
        const bool typed_so = same || is_as_typed(own, own_length, typed, length);
        const int fit = (typed_so ? NAME_AS_TYPED : NAME_FOLDED) * 4 + same * 2 + !is_alias;
        const bool counts = fit > best || (fit == best && !is_several);
        const uint32_t node = counts ? name_order_node(graph, found) : GRAPH_NODE_NONE;
        if (node == GRAPH_NODE_NONE) {
            continue;
        }
        is_several = fit == best && node != best_node;
        best = fit;
        best_node = node;
        *number = found;
    }
    return best == 0 || is_several || folded == 0 ? NAME_OF_NONE : (enum name_quality)(best / 4);
}
