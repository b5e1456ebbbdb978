/*
 * name_order.h - names and aliases in the order of their folded forms (name_fold.h), kept in the
 * snapshot: any name of many millions is found by search, without a table that must be made first.
 *
 * A number below the count of names is a name, from there on an alias (graph_origin.h). Names near
 * to a text are found by walking the order as if it were a tree of letters: where the start of a
 * name is too far from the text (edit distance), all names with that start are passed over, and
 * those that go on with a letter that the text does not have.
 * Cost: 4 bytes per name; a search folds some 50 names, near names some thousands.
 */
#pragma once

#include "data/graph/graph.h"

/* Order the names of graph->origin. False when out of memory. */
bool name_order_make(struct graph *graph, unsigned threads);

/* Whether a graph has an order. */
bool name_order_is_there(const struct graph *graph);

/* The text of a number, which a NUL ends. */
const char *name_order_text(const struct graph *graph, uint32_t number, size_t *length);

/* The node of a number, GRAPH_NODE_NONE for none. Goes through the nodes of a renumbered graph. */
uint32_t name_order_node(const struct graph *graph, uint32_t number);

/* The places from *begin to *end whose folded names start with a folded text. */
void name_order_range(const struct graph *graph, const char *folded, size_t length, uint64_t *begin,
                      uint64_t *end);

/* How well a name fits what was typed. */
enum name_quality {
    NAME_OF_NONE,
    NAME_FOLDED,   /* when both are folded */
    NAME_AS_TYPED, /* to the letter, but for the case of the first, and underscores for spaces */
};

/*
 * The best number for a text: a name before an alias, the letters as typed before folded ones.
 * NAME_OF_NONE also where several nodes fit as well.
 */
enum name_quality name_order_find(const struct graph *graph, const char *text, size_t length,
                                  uint32_t *number);

/* Whether one of some nodes has the name of a node. */
bool name_is_among(const struct graph *graph, const uint32_t *nodes, size_t count, uint32_t node);

/* Nodes with names near to a text, the nearest first; then those whose names start with it. Of
 * those of equal names one. */
void name_order_similar(const struct graph *graph, const char *text, size_t length, uint32_t *nodes,
                        size_t *count, size_t most);
