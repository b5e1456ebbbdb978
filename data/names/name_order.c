/*
 * name_order.c - searches in the order of folded names; see name_order.h.
 */
#include "name_order.h"
#include "base/utf8.h"
#include "data/graph/graph_blocks.h"
#include "name_fold.h"
#include <string.h>

uint32_t name_order_count(const struct graph *graph)
{
    const struct graph_names *aliases = graph->origin != NULL ? graph->origin->aliases : NULL;
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

uint32_t name_order_at(const struct name_order *order, uint64_t place)
{
    const struct graph *graph = order->index->graph;
    const uint32_t *number = order->numbers + place;
    const bool is_made = !name_order_is_stored(graph);
    return is_made || graph_allows(graph, number, sizeof(*number)) ? *number : 0;
}

uint32_t name_order_node(const struct name_order *order, uint32_t number)
{
    const struct graph *graph = order->index->graph;
    const uint32_t count = graph->names->count;
    uint64_t id = (uint64_t)graph->names->first_id + number;
    uint32_t node;
    if (number >= count) {
        const uint32_t *alias = graph->origin->alias_ids + (number - count);
        if (!graph_allows(graph, alias, sizeof(*alias))) {
            return GRAPH_NODE_NONE;
        }
        id = *alias;
    }
    return node_index_find_id(order->index, id, &node) ? node : GRAPH_NODE_NONE;
}

size_t name_order_fold(const struct graph *graph, uint32_t number, char folded[NAME_FOLDED_MAX])
{
    size_t length;
    const char *text = name_order_text(graph, number, &length);
    return name_fold(folded, NAME_FOLDED_MAX, text, length);
}

/* True if the name at a place is before a text, or (past) begins with it, too. */
static bool is_before(const struct name_order *order, uint64_t place, const char *text,
                      size_t length, bool past)
{
    char folded[NAME_FOLDED_MAX];
    const size_t got = name_order_fold(order->index->graph, name_order_at(order, place), folded);
    const int difference = memcmp(folded, text, got < length ? got : length);
    return difference < 0 || (difference == 0 && (past || got < length));
}

uint64_t name_order_bound(const struct name_order *order, const char *text, size_t length,
                          bool past, uint64_t low)
{
    uint64_t high = name_order_count(order->index->graph);
    for (uint64_t step = 1; low + step < high; step *= 2) {
        if (is_before(order, low + step, text, length, past)) {
            low += step;
        } else {
            high = low + step;
        }
    }
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_before(order, middle, text, length, past)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void name_order_range(const struct name_order *order, const char *folded, size_t length,
                      uint64_t *begin, uint64_t *end)
{
    *begin = name_order_bound(order, folded, length, false, 0);
    *end = name_order_bound(order, folded, length, true, *begin);
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

/* How well a name fits a text that is equal to it when folded. */
static enum name_quality quality_of(const struct graph *graph, uint32_t number, const char *text,
                                    size_t length)
{
    size_t own_length;
    const char *own = name_order_text(graph, number, &own_length);
    const bool is_alias = number >= graph->names->count;
    const bool is_title = name_order_is_stored(graph);
    if (is_title && own_length == length && memcmp(own, text, length) == 0) {
        return is_alias ? NAME_SAME_ALIAS : NAME_SAME;
    }
    if (is_title && is_as_typed(own, own_length, text, length)) {
        return is_alias ? NAME_AS_TYPED_ALIAS : NAME_AS_TYPED;
    }
    return is_alias ? NAME_FOLDED_ALIAS : NAME_FOLDED;
}

enum name_quality name_order_find(const struct name_order *order, const char *text, size_t length,
                                  uint32_t *number, uint32_t *node)
{
    const struct graph *graph = order->index->graph;
    char typed[NAME_FOLDED_MAX], wanted[NAME_FOLDED_MAX], own_folded[NAME_FOLDED_MAX];
    enum name_quality best = NAME_OF_NONE;
    uint32_t best_number = 0, best_node = GRAPH_NODE_NONE;
    uint64_t begin, end;
    bool is_several = false;
    if (length > NAME_FOLDED_MAX) {
        return NAME_OF_NONE;
    }
    length = spaced(typed, text, length);
    const size_t folded = name_fold(wanted, sizeof(wanted), typed, length);
    name_order_range(order, wanted, folded, &begin, &end);
    for (uint64_t i = begin; folded > 0 && i < end; i++) {
        const uint32_t found = name_order_at(order, i);
        if (name_order_fold(graph, found, own_folded) != folded) {
            break; /* the longer names follow */
        }
        const enum name_quality quality = quality_of(graph, found, typed, length);
        if (quality < best || (quality == best && is_several)) {
            continue;
        }
        const uint32_t fitting = name_order_node(order, found);
        if (fitting != GRAPH_NODE_NONE) {
            is_several = quality == best && fitting != best_node;
            best = quality;
            best_number = found;
            best_node = fitting;
        }
    }
    if (best == NAME_OF_NONE || is_several) {
        return NAME_OF_NONE;
    }
    *number = best_number;
    *node = best_node;
    return best;
}
