/*
 * pairs_load.h - loads the pairs to search from a file: compressed or not, by id or by name.
 */
#pragma once

#include "data/read/pairs.h"

/*
 * Read pairs from a file and check that each names two nodes of the graph. Names may be spelt as
 * data/names/name_finder.h forgives.
 * pairs: filled on success, zeroed on failure; the caller frees it with pairs_free.
 * Returns false with error set ("pairs.txt:3: target 12 is outside 1..10").
 */
bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error);
