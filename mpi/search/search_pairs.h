/*
 * search_pairs.h - the searches to make, read by rank 0 for all.
 */
#pragma once

#include "data/load/pairs_load.h"
#include "flight.h"

/* What to search for: PAIRS, or one question. */
struct search_wanted {
    const char *pairs; /* NULL: the question */
    struct node_text from, to;
};

/*
 * Read "source target" lines of a file, in ids or names of the graph, make "random:100,seed=1", or
 * take the question: the same pairs, notes and errors as in bfs. Ids in a file have 32 bits.
 * options: for notes and memory. Collective: all ranks get the same pairs. For free(3);
 * NULL with error set.
 */
struct pair *search_pairs_read(const struct search_wanted *wanted, const struct mpi_graph *graph,
                               const struct graph_options *options, size_t *count,
                               struct graph_error *error);
