/*
 * tree_check.h - Graph500's five rules for the tree of a breadth-first search, over all ranks.
 *
 * 1. It is a tree: from every node, parents lead to the root, without a cycle.
 * 2. A node's level is one more than its parent's.
 * 3. The ends of every edge within the tree have levels that differ by at most one.
 * 4. It spans the whole component: no edge leads out of it.
 * 5. A node and its parent are joined by an edge of the graph.
 * The graph is symmetric: each edge is stored at both ends. Levels follow from the parents; if the
 * search keeps levels of its own, rules 2 and 3 check those.
 * Memory: 8 bytes per local node and at most 32 MiB. All ranks see the values of all nodes pass by,
 * a block at a time, so the time grows with the nodes of the whole graph. Graph500 does not time
 * the validation.
 * Source: the Graph500 specification, "Validation", graph500.org.
 */
#pragma once

#include "mpi/graph/mpi_graph.h"

#define TREE_RULES      5
#define TREE_LEVEL_NONE UINT32_MAX /* not in the tree */

/* The result of a search from one root at each rank, by local number. */
struct mpi_tree {
    uint64_t root;
    uint32_t *parents; /* of the root: itself; GRAPH_NODE_NONE: not reached */
    uint32_t *levels;  /* hops from the root, or TREE_LEVEL_NONE; NULL: the search keeps none */
};

/* The outcome, the same at all ranks. */
struct tree_verdict {
    unsigned broken;     /* bit r: rule r is broken */
    uint64_t node_count; /* in the tree */
    uint64_t edge_count; /* of the component, each once; what TEPS counts */
};

/*
 * Check a tree. Returns false with error set when out of memory or when a rule is broken; the
 * verdict says which one. If rule 1 is broken, the others are not checked.
 */
bool tree_check(const struct mpi_graph *graph, const struct mpi_tree *tree,
                struct tree_verdict *verdict, struct graph_error *error);
