/*
 * graph.h - a directed graph in compressed sparse row form (CSR), and how to read one.
 *
 * Conventions: node ids are the ids of the file, so a 1-based file gives nodes 1..node_limit-1 and
 * a row 0 that is empty. The out-neighbours of node u are neighbours[offsets[u]] ..
 * neighbours[offsets[u + 1] - 1] in the order of the file, duplicates and self-loops kept. Nothing
 * here prints or exits: a function that fails returns false and fills a struct graph_error, whose
 * message is one ready line
 * ("wiki.mtx:1203: target 3600000 is outside 1..3566907"). Not for graphs that do not fit in
 * memory.
 */
#ifndef PW_GRAPH_H
#define PW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PW_EXPORT
#define PW_EXPORT __attribute__((visibility("default")))
#endif

#define GRAPH_NODE_MAX  (UINT32_MAX - 1) /* the largest node id: 2^32 - 2 */
#define GRAPH_NODE_NONE UINT32_MAX       /* no node */

struct graph {
    uint32_t first_node;  /* smallest id: 1 for a 1-based file, else 0 */
    uint32_t node_limit;  /* one past the largest id */
    uint64_t edge_count;  /* entries of neighbours */
    uint64_t *offsets;    /* node_limit + 1 entries */
    uint32_t *neighbours; /* edge_count entries */
    /* The reverse adjacency, NULL until graph_add_reverse: the in-neighbours of each node. */
    uint64_t *in_offsets;    /* node_limit + 1 entries */
    uint32_t *in_neighbours; /* edge_count entries, ascending in each row */
};

struct graph_error {
    char message[512]; /* one line without a newline: place, rule, value */
};

struct graph_options {
    bool repeat_last_entry; /* add the last entry of the file twice, as the challenge's program does
                             */
};

/*
 * Read a graph from a file, its format told by its content: Matrix Market coordinate or edge list.
 * path: the file. options: NULL for the defaults. graph: filled on success, zeroed on failure.
 * Returns false with error set when the file cannot be read, is malformed, or does not fit.
 * The caller frees the graph with graph_free.
 */
bool graph_load(const char *path, const struct graph_options *options, struct graph *graph,
                struct graph_error *error);

/* Free what graph_load or graph_generate gave and zero the struct; an all-zero graph is fine. */
void graph_free(struct graph *graph);

/*
 * Build the reverse adjacency; does nothing when it is there. Takes 4 bytes an edge and 8 a node.
 * False with error set when out of memory, the graph unchanged. graph_free frees it.
 */
bool graph_add_reverse(struct graph *graph, struct graph_error *error);

/* Whether id names a node of the graph. */
static inline bool graph_has_node(const struct graph *graph, uint32_t id)
{
    return id >= graph->first_node && id < graph->node_limit;
}

/* The number of nodes. */
static inline uint32_t graph_node_count(const struct graph *graph)
{
    return graph->node_limit - graph->first_node;
}

/* The number of out-neighbours of a node, repeats included. node: below node_limit. */
static inline uint64_t graph_out_degree(const struct graph *graph, uint32_t node)
{
    return graph->offsets[node + 1] - graph->offsets[node];
}

#ifdef __cplusplus
}
#endif
#endif
