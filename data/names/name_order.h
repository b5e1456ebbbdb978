/*
 * name_order.h - names and aliases in the order of their folded forms (name_fold.h), kept in the
 * snapshot. Any name of many millions is found by search; no table must be made first.
 *
 * A number below the count of names is a name, from there on an alias (graph_origin.h). name_sort.h
 * makes the order, name_near.h finds near names in it.
 * Cost: 4 bytes per name; a search folds some 50 names.
 */
#pragma once

#include "data/graph/graph.h"

/* True if a graph has an order. */
bool name_order_is_there(const struct graph *graph);

/* The number at a place of the order; in a bad block of the snapshot (graph_is_damaged) it is 0,
 * and the text below is empty. */
uint32_t name_order_at(const struct graph *graph, uint64_t place);

/* The text of a number, ended by a NUL. */
const char *name_order_text(const struct graph *graph, uint32_t number, size_t *length);

/* The count of numbers: names and aliases. */
uint32_t name_order_count(const struct graph *graph);

#define NAME_FOLDED_MAX 512

/* The folded text of a number. Returns its length. */
size_t name_order_fold(const struct graph *graph, uint32_t number, char folded[NAME_FOLDED_MAX]);

/* The node of a number, GRAPH_NODE_NONE for none. In a renumbered graph it tries all nodes. */
uint32_t name_order_node(const struct graph *graph, uint32_t number);

/* The places from *begin to *end whose folded names start with a folded text. */
void name_order_range(const struct graph *graph, const char *folded, size_t length, uint64_t *begin,
                      uint64_t *end);

/* The first place from low on whose folded name is not before a folded text and, if past is set,
 * does not begin with it either. Quick if it is near. */
uint64_t name_order_bound(const struct graph *graph, const char *text, size_t length, bool past,
                          uint64_t low);

/* How well a name fits a typed text. */
enum name_quality {
    NAME_OF_NONE,
    NAME_FOLDED,   /* equal when folded */
    NAME_AS_TYPED, /* exact, except the first letter's case, and underscores for spaces */
};

/*
 * The best number for a text: a name before an alias, the letters as typed before folded ones.
 * NAME_OF_NONE also if several nodes fit equally well.
 */
enum name_quality name_order_find(const struct graph *graph, const char *text, size_t length,
                                  uint32_t *number);
