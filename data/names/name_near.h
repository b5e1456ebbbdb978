/*
 * name_near.h - finds names near to a text, by a walk in the order of names (name_order.h).
 *
 * The order is walked like a tree of letters. If the start of a name is too far from the text (edit
 * distance), all names with that start are skipped; so are names that continue with a letter that
 * the text does not have. Cost: some thousands of names are folded.
 * Discarded: the distance to every name, 2 to 10 seconds for 5 million.
 */
#pragma once

#include "name_order.h"

/*
 * At most that many nodes with the names nearest to a text: at most three letters are wrong, and at
 * most a third of them and one more. After those come nodes whose names start with the text, or, in
 * a graph of at most 30,000 names, have it as a word. Equal names appear once. Returns how many.
 */
size_t name_order_similar(const struct name_order *order, const char *text, size_t length,
                          uint32_t *nodes, size_t most);
