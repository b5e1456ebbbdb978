/*
 * name_search.h - names of nodes that start with a text, by the order of names (name_order.h).
 *
 * Names are compared as written; if none starts so, when folded (name_fold.h). If more than 100,000
 * names start like the text when folded, the first 100,000 of the order are looked at. Cost: O(log
 * names) and a comparison of each name that starts like the text; log2 of the capacity for each
 * that is kept. order: NULL for a graph without names, which has no matches.
 */
#pragma once

#include "name_order.h"

#define NAME_SEARCH_MAX 20 /* names for a person to look at */

/* Which of the names that start with a text come first. */
enum name_first {
    NAME_FIRST_DEGREE, /* most edges, in and out; of equal ones the smaller node */
    NAME_FIRST_NAME,   /* the names by their bytes; of equal ones the smaller node */
};

/* The first `capacity` nodes whose names start with prefix, into nodes; returns how many. total:
 * how many there are. */
size_t name_search_first(const struct name_order *order, const char *prefix, enum name_first first,
                         uint32_t *nodes, size_t capacity, size_t *total);
