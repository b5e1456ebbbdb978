/*
 * graph500.h - the Graph500 benchmark: its graph, its two timed kernels, its validation and output.
 *
 * 1. A Kronecker graph of 2^scale nodes and edgefactor times as many edges (data/make/kronecker.h):
 *    the official parameters and a scramble of the labels, but random numbers of our own, so its
 *    edges differ from the reference code's. Each rank draws its share; the graph is the same
 *    for every number of ranks.
 * 2. Kernel 1 makes adjacency lists of the edges: both directions, without self-loops, as the
 *    reference code does.
 * 3. Kernel 2 searches from 64 keys: different nodes with an edge to another node, drawn at random.
 * 4. After each search five rules are checked (tree_check.h).
 * A search's TEPS are the edges of the component, repeats counted and self-loops not (as the
 * reference code counts), per second.
 * Source: the Graph500 specification, graph500.org.
 */
#pragma once

#include "graph500_options.h"

/*
 * Collective. Run the benchmark; rank 0 writes the result to out. If out of
 * memory or not valid: false with error set, everywhere, and nothing is written.
 */
bool graph500_run(MPI_Comm comm, const struct graph500_options *options, FILE *out,
                  struct graph_error *error);
