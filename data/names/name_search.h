/*
 * name_search.h - names of nodes that start with a text, or that a text may be a misspelling of.
 *
 * Both go through all names: a fraction of a second for some millions, without an index. Names are
 * compared when folded (name_fold.h). A graph without names has none.
 */
#pragma once

#include "data/graph/graph.h"

#define NAME_SEARCH_MAX 20

struct name_matches {
    size_t count; /* of nodes kept */
    size_t total; /* that matched */
    uint32_t nodes[NAME_SEARCH_MAX];
    char common[GRAPH_LABEL_SIZE]; /* the start that all matches share, in whole characters */
};

/* Which of the names that start with a text come first. */
enum name_first {
    NAME_FIRST_FOUND,  /* the nodes in their order; with name_order.h, the names in its order */
    NAME_FIRST_DEGREE, /* most edges, in and out; of equal ones the smaller node */
    NAME_FIRST_NAME,   /* the names by their bytes; of equal ones the smaller node */
};

/*
 * The first `capacity` nodes whose names start with prefix, into nodes; returns how many. total:
 * how many there are. If no name starts so exactly, names that do so when folded. With name_order.h
 * and a graph that is not renumbered, only the first 100,000 names in that order are looked at.
 * Cost: O(names), or O(matches) with that order; and a comparison of each match, log2 of capacity
 * for each that is kept.
 */
size_t name_search_first(const struct graph *graph, const char *prefix, enum name_first first,
                         uint32_t *nodes, size_t capacity, size_t *total);

/* Names that start with prefix, in the order of the nodes. If none does so exactly, names that do
 * so when folded. */
void name_search_prefix(const struct graph *graph, const char *prefix,
                        struct name_matches *matches);

/* The names nearest to text, the nearest first: at most a third of its letters are wrong, or it is
 * a word of the name. Equal names appear once. */
void name_search_similar(const struct graph *graph, const char *text, size_t length,
                         struct name_matches *matches);
