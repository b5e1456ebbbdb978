/*
 * engine_tree.h - the tree of a search by one of bfs's engines, on a graph that one rank holds.
 *
 * 1. The engine searches for a node without edges, so that it visits the whole component.
 * 2. Its visit order gives the levels; a second pass gives each node a parent of the level before.
 *    Both passes are timed: the benchmark asks for parents.
 * Only engines that keep a visit order.
 */
#pragma once

#include "bfs/search/search.h"
#include "tree_check.h"

struct engine_tree;

/* True if the engine keeps a visit order. */
bool engine_tree_serves(const struct search_engine *engine);

/* NULL with error set when out of memory. The graph must outlive it, and lie on one rank. */
struct engine_tree *engine_tree_create(const struct search_engine *engine,
                                       const struct mpi_graph *graph, struct graph_error *error);
void engine_tree_destroy(struct engine_tree *made);

/* Fill in tree->parents and tree->levels, whose room the caller gives. False: out of memory. */
bool engine_tree_run(struct engine_tree *made, struct mpi_tree *tree, struct graph_error *error);
