/*
 * tree_search.h - Graph500's second kernel: breadth-first search from a root over all ranks; it
 * keeps parents.
 *
 * 1. Level by level. A sparse frontier is expanded top down: a neighbour that another rank owns
 *    goes to it together with its parent, each from a rank at most once per search.
 * 2. A dense frontier is a bitmap that all ranks gather; nodes not yet reached look for a parent
 *    in it, at their owner, without another message: bfs/search/direction.h says when.
 * 3. The neighbour of highest degree comes first in each list, because it is met soonest. A
 *    separate array holds it, so that most nodes need no look at their list.
 * Needs a symmetric graph in a block partition, and reorders its lists. One thread per rank.
 * Memory: a bit twice per node of the whole graph; 12 bytes per local node (20 with ids of 64
 * bits); 16 MiB of buffers. On the wire: n/8 bytes per dense level, and once more when the frontier
 * is sparse again; 8 (16) per remote node sent.
 * Source: Beamer, Buluc, Asanovic & Patterson, "Distributed Memory Breadth-First Search Revisited",
 * 2013.
 */
#pragma once

#include "tree_check.h"

struct tree_search;

/* Collective. Reorders the lists of the graph, which must outlive it. NULL with error set if any
 * rank is out of memory. */
struct tree_search *tree_search_create(struct mpi_graph *graph, struct graph_error *error);
void tree_search_destroy(struct tree_search *search);

/* Collective. Fill in tree->parents, whose room the caller gives; levels are not kept. */
void tree_search_run(struct tree_search *search, struct mpi_tree *tree);
