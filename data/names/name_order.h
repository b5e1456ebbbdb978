/*
 * name_order.h - names and aliases in the order of their folded forms (name_fold.h): any name of
 * many millions is found by search, as typed or in another spelling.
 *
 * A number below the count of names is a name, from there on an alias (graph_origin.h). A snapshot
 * may have the order; name_sort.h makes it otherwise, name_near.h finds near names in it.
 * Cost: 4 bytes per name; a search folds some 50 names.
 */
#pragma once

#include "data/graph/graph_origin.h"
#include "node_index.h"

/* True if the snapshot has the order: its names are the titles of a wiki. */
static inline bool name_order_is_stored(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->order != NULL;
}

struct name_order {
    const struct node_index *index; /* of the graph */
    const uint32_t *numbers;        /* by folded name */
};

/* The count of numbers: names and aliases. The graph has names. */
uint32_t name_order_count(const struct graph *graph);

/* The text of a number, ended by a NUL. */
const char *name_order_text(const struct graph *graph, uint32_t number, size_t *length);

#define NAME_FOLDED_MAX 512

/* The folded text of a number. Returns its length. */
size_t name_order_fold(const struct graph *graph, uint32_t number, char folded[NAME_FOLDED_MAX]);

/* The number at a place of the order; in a bad block of the snapshot (graph_is_damaged) it is 0,
 * and the text is empty. */
uint32_t name_order_at(const struct name_order *order, uint64_t place);

/* The node of a number, GRAPH_NODE_NONE if the graph has no such node. */
uint32_t name_order_node(const struct name_order *order, uint32_t number);

/* The places from *begin to *end whose folded names start with a folded text. */
void name_order_range(const struct name_order *order, const char *folded, size_t length,
                      uint64_t *begin, uint64_t *end);

/* The first place from low on whose folded name is not before a folded text and, if past is set,
 * does not begin with it either. Quick if it is near. */
uint64_t name_order_bound(const struct name_order *order, const char *text, size_t length,
                          bool past, uint64_t low);

/*
 * How well a name fits a typed text, from bad to good. As typed: the first letter's case and
 * underscores for spaces do not count, as in the titles of a wiki; so only a snapshot that has the
 * order has names that fit better than folded.
 */
enum name_quality {
    NAME_OF_NONE,
    NAME_FOLDED_ALIAS, /* equal when folded */
    NAME_FOLDED,
    NAME_AS_TYPED_ALIAS,
    NAME_AS_TYPED,
    NAME_SAME_ALIAS, /* to the letter, except underscores for spaces */
    NAME_SAME,
};

/*
 * The number that fits a text best, and its node. NAME_OF_NONE, and both unchanged, if no name
 * fits, or if several nodes fit equally well.
 */
enum name_quality name_order_find(const struct name_order *order, const char *text, size_t length,
                                  uint32_t *number, uint32_t *node);
