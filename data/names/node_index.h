/*
 * node_index.h - the node of an id or a name as the graph's file has it.
 */
#pragma once

#include "data/graph/graph.h"

/* Maps original ids to nodes; a graph that keeps its file's ids needs no memory for it. */
struct node_index {
    const struct graph *graph;
    uint32_t *order; /* the nodes by original id, or NULL if they are in that order */
};

/*
 * Prepare to find nodes, also by name. Afterwards any number of threads may search. False when out
 * of memory. Cost: for a reordered graph without an order of its ids (id_order.h) 4 bytes per node,
 * and a sort if they are sparse; plus the buckets of the names (name_buckets.h), unless the
 * snapshot has them.
 */
bool node_index_init(struct node_index *index, const struct graph *graph);
void node_index_free(struct node_index *index);

/*
 * True if the order lists nodes by ascending original id. A damaged snapshot may have an id twice;
 * then one of its nodes is found. Cost: O(nodes).
 */
bool node_index_check(const struct node_index *index);

/* The node at a place among all nodes by ascending original id, from 0 on. False if a bad block of
 * the snapshot is in the way, or if its order names no node. */
bool node_index_at(const struct node_index *index, uint32_t place, uint32_t *node);

/* True if a number that is not a name means a page of a wiki, not an id. */
bool node_index_has_pages(const struct graph *graph);

/* The node with an id of the file. */
bool node_index_find_id(const struct node_index *index, uint64_t id, uint32_t *node);

/* True if a text is the number of a node, as "#1". */
bool node_index_is_numbered(const char *text, size_t length);

/*
 * The node of a number. "#1": the id of the file, also in a graph with names. "1": the same if the
 * graph has no names, or if the node has no name; in the snapshot of a wiki the page. So a number
 * among names is a name.
 */
bool node_index_find_number(const struct node_index *index, const char *text, size_t length,
                            uint32_t *node);

/* The node with this name, as written or URL-encoded. */
bool node_index_find_name(const struct node_index *index, const char *text, size_t length,
                          uint32_t *node);

/* The node that text names: by name if the graph has names; if no name matches, as
 * node_index_find_number. */
bool node_index_find(const struct node_index *index, const char *text, size_t length,
                     uint32_t *node);
