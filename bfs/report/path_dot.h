/*
 * path_dot.h - all shortest paths of a question in DOT, for Graphviz to draw.
 */
#pragma once

#include "bfs/pwgraph/pwgraph.h"
#include <stdio.h>

/*
 * Write the graph that all shortest paths form: the nodes of a distance in a rank, from left to
 * right, with their names as labels, and an edge for each step. A node is n and its id in the
 * graph's file; the end of a path from a node to itself is a node of its own, with an e after the
 * id. Without a path the graph is empty.
 */
void path_dot_write(FILE *out, const struct pwgraph *graph, const struct pwgraph_paths *paths);
