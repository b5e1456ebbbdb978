/*
 * pairs.h - the searches to make: a list of source and target nodes, one pair a line.
 *
 * Read with the tolerance of the edge lists (spaces, tabs or commas; # and % comments; LF or CRLF).
 * Ids are those of the graph's file; names may be spelt as name_finder.h forgives. Nothing here
 * prints or exits; see graph.h for errors.
 */
#pragma once

#include "data/graph/graph.h"

struct pair {
    uint32_t source;
    uint32_t target;
};

struct pairs {
    size_t count;
    struct pair *items; /* count entries */
    char note[640];     /* names that were spelt in another way, in words; empty: none */
};

/*
 * Read pairs from a file and check that each names two nodes of the graph.
 * pairs: filled on success, zeroed on failure; the caller frees it with pairs_free.
 * Returns false with error set ("pairs.txt:3: target 12 is outside 1..10").
 */
bool pairs_load(const char *path, const struct graph *graph, struct pairs *pairs,
                struct graph_error *error);

/* Free what pairs_load gave and zero the struct. */
void pairs_free(struct pairs *pairs);
