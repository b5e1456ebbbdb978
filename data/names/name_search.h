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

/* Names that start with prefix, in the order of the nodes. If none does so exactly, names that do
 * so when folded. */
void name_search_prefix(const struct graph *graph, const char *prefix,
                        struct name_matches *matches);

/* The names nearest to text, the nearest first: at most a third of its letters are wrong, or it is
 * a word of the name. Equal names appear once. */
void name_search_similar(const struct graph *graph, const char *text, size_t length,
                         struct name_matches *matches);
