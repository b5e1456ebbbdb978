/*
 * graph.h - a directed graph in compressed sparse row form (CSR).
 *
 * Node ids are the ids of the file, so a 1-based file gives nodes 1..node_limit-1 and an unused
 * node 0 without edges. The out-neighbours of node u are neighbours[offsets[u]] to
 * neighbours[offsets[u + 1] - 1], in the order of the file; repeated edges and self-loops are kept.
 * Nothing here prints or exits: a function that fails returns false and fills a struct graph_error.
 * The graph must fit in memory. A graph comes from a file (data/load/graph_load.h), from a
 * specification (data/make/generate.h), or from arrays that the caller fills.
 */
#pragma once

#include "graph_error.h"

#define GRAPH_NODE_MAX  (UINT32_MAX - 1) /* the largest node id: 2^32 - 2 */
#define GRAPH_NODE_NONE UINT32_MAX       /* no node */

#define GRAPH_MAPPING_MAX 16

struct graph_names;
struct graph_origin;
struct graph_blocks;

/* The mappings that hold the arrays of a graph. */
struct graph_storage {
    void (*release)(struct graph_blocks *blocks); /* of the graph; NULL: nothing to release */
    size_t mapping_count;
    struct {
        void *base;
        size_t length;
    } mappings[GRAPH_MAPPING_MAX];
};

struct graph {
    uint32_t first_node;  /* 0 if the file names node 0, else 1 */
    uint32_t node_limit;  /* one past the largest id */
    uint64_t edge_count;  /* entries of neighbours */
    uint64_t *offsets;    /* node_limit + 1 entries */
    uint32_t *neighbours; /* edge_count entries */
    /* The reverse adjacency (data/reverse), or NULL: the in-neighbours of each node. */
    uint64_t *in_offsets;    /* node_limit + 1 entries */
    uint32_t *in_neighbours; /* edge_count entries, ascending for each node */
    /* NULL if absent. */
    uint32_t *original_ids;      /* node_limit entries: the id in the file of a renumbered node */
    uint32_t *id_order;          /* the nodes by original id, if a snapshot has them (id_order.h) */
    struct graph_names *names;   /* of the original ids */
    struct graph_origin *origin; /* further facts of a snapshot; see graph_origin.h */
    struct graph_storage *storage; /* the mappings of the arrays; NULL: arrays from malloc */
    struct graph_blocks *blocks;   /* checked when they are first used (graph_blocks.h); NULL: all
                                      of the graph was checked */
};

/* Free all that a graph has and zero the struct; an all-zero graph is fine. */
void graph_free(struct graph *graph);

/* From now on the graph frees its mappings only; arrays outside of them belong to somebody else, or
 * are NULL. False when out of memory. */
bool graph_use_storage(struct graph *graph);

/*
 * Hand a mapping over to the graph, which unmaps it in the end. On failure, out of memory, it is
 * unmapped at once, and false returned. The graph must have no arrays from malloc.
 */
bool graph_adopt(struct graph *graph, void *base, size_t length);

/*
 * Zeroed memory for count items of size bytes, in huge pages if the system has them; graph_free
 * gives it back. NULL when out of memory. A count of 0 gives a valid pointer. As graph_adopt.
 */
void *graph_map_array(struct graph *graph, uint64_t count, size_t size);

/*
 * True if the whole structure holds, so that no search can leave the arrays: offsets ascend from 0
 * to the edge count, every neighbour is a node; likewise for the reverse adjacency and the
 * names. Runs after every load in debug builds, except of a graph that is checked by block. Cost:
 * O(nodes + edges).
 */
bool graph_check(const struct graph *graph);

/* The parts of that check, for a piece of an array. Both read it once and without a branch. */
bool graph_offsets_ascend(const uint64_t *offsets, uint64_t count);
bool graph_holds_nodes(const struct graph *graph, const uint32_t *nodes, uint64_t count);

/* The id of a node in the graph's file; GRAPH_NODE_NONE if a bad block of the snapshot is in the
 * way. */
uint32_t graph_original_id(const struct graph *graph, uint32_t node);

/* A node's name, which the graph owns; NULL if it has no name, or an empty one, or if a bad block
 * of the snapshot is in the way (graph_blocks.h). */
const char *graph_name(const struct graph *graph, uint32_t node);

#define GRAPH_LABEL_SIZE 256

/*
 * A node's label: its name, else its page in a wiki, else its id in the graph's file.
 * Returns text, or the name itself. text: room for a number.
 */
const char *graph_label(const struct graph *graph, uint32_t node, char text[GRAPH_LABEL_SIZE]);

/*
 * The text of a name, by number, ended by a NUL; names: of the graph, or its aliases. It is empty
 * if a bad block of the snapshot is in the way.
 */
const char *graph_name_text(const struct graph *graph, const struct graph_names *names,
                            uint32_t number, size_t *length);

/* The wiki page of the node with an id (https://en.wikipedia.org/?curid=PAGE); 0: not known. id: in
 * the graph's file. */
uint32_t graph_page(const struct graph *graph, uint32_t id);

/* True if id names a node of the graph. */
static inline bool graph_has_node(const struct graph *graph, uint32_t id)
{
    return id >= graph->first_node && id < graph->node_limit;
}

/* The number of nodes. */
static inline uint32_t graph_node_count(const struct graph *graph)
{
    return graph->node_limit - graph->first_node;
}

/* The graph with both adjacencies exchanged; the reverse one must be there. Borrowed: do not free
 * it. */
static inline struct graph graph_backwards(const struct graph *graph)
{
    struct graph backwards = *graph;
    backwards.offsets = graph->in_offsets;
    backwards.neighbours = graph->in_neighbours;
    backwards.in_offsets = graph->offsets;
    backwards.in_neighbours = graph->neighbours;
    return backwards;
}

/* The number of out-neighbours of a node, repeats included. node: below node_limit. */
static inline uint64_t graph_out_degree(const struct graph *graph, uint32_t node)
{
    return graph->offsets[node + 1] - graph->offsets[node];
}
