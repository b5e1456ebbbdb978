/*
 * name_near.h - finds names near to a text, by a walk in the order of names (name_order.h).
 *
 * The order is walked like a tree of letters. If the start of a name is too far from the text (edit
 * distance), all names with that start are skipped; so are names that continue with a letter that
 * the text does not have. Cost: some thousands of names are folded.
 */
#pragma once

#include "data/graph/graph.h"

/* True if one of several nodes has the same name as a node. */
bool name_is_among(const struct graph *graph, const uint32_t *nodes, size_t count, uint32_t node);

/* Nodes with names near to a text, the nearest first; then nodes whose names start with it. Equal
 * names appear once. */
void name_order_similar(const struct graph *graph, const char *text, size_t length, uint32_t *nodes,
                        size_t *count, size_t most);
