/*
 * mpi_walk.h - a sum over all nodes in the order of their ids, passed from rank to rank.
 */
#pragma once

#include "mpi_graph.h"

/* Add a rank's local nodes from begin to end - 1 to a token. */
typedef void mpi_visit(const struct mpi_graph *graph, uint64_t begin, uint64_t end, void *token);

/*
 * Visit all nodes in ascending order, each piece of consecutive ids by its owner. The token has
 * size bytes and starts with rank 0's value; in the end all ranks have it. Collective. Cost: no
 * data moves, but one rank works at a time; a dealt partition moves the token every 64 nodes.
 */
void mpi_walk(const struct mpi_graph *graph, void *token, size_t size, mpi_visit *visit);
