/*
 * search_pairs.h - the searches to make, read by rank 0 for all.
 */
#pragma once

#include "flight.h"

/*
 * Read "source target" lines of a file with ids of the graph, or make "random:100,seed=1": the same
 * pairs and errors as in bfs. Ids in a file have 32 bits. Collective: all ranks get the same.
 * For free(3); NULL with error set.
 */
struct mpi_pair *search_pairs_read(const char *path, const struct mpi_graph *graph, size_t *count,
                                   struct graph_error *error);
