/*
 * node_index.h - the node of an id or a name as the graph's file has it.
 */
#pragma once

#include "data/graph/graph.h"

/* From original ids to nodes; nothing is stored for a graph that keeps its file's ids. */
struct node_index {
    const struct graph *graph;
    uint32_t *order; /* the nodes by ascending original id, or NULL when they ascend already */
};

/*
 * Make ready to find nodes, also by name. Afterwards any number of threads may. False when out of
 * memory. Cost: 4 bytes per node and a sort, for a reordered graph only; the table of the names,
 * unless the snapshot has their order: then names are found by name_finder.h only.
 */
bool node_index_init(struct node_index *index, const struct graph *graph);
void node_index_free(struct node_index *index);

/*
 * Whether the order lists nodes by ascending original id. A damaged snapshot may have an id twice;
 * one of its nodes is found then. Cost: O(nodes).
 */
bool node_index_check(const struct node_index *index);

/* Whether a number that is no name means a page of a wiki, not an id. */
bool node_index_has_pages(const struct graph *graph);

/* The node that text names: by name where the graph has names, else or if there is none, by id; in
 * the snapshot of a wiki by page id. */
bool node_index_find(const struct node_index *index, const char *text, size_t length,
                     uint32_t *node);
