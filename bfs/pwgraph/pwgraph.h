/*
 * pwgraph.h - load a directed graph, find shortest paths in it, free it: libpwgraph.
 *
 * Conventions: nodes are 32-bit numbers; pwgraph_find and pwgraph_label turn the ids or names of
 * the file into them and back. A path from a node to itself has at least one edge. A graph may be
 * used by many threads at once, a search by one at a time. Nothing here prints, exits or aborts;
 * NULL is fine for the free functions. Link with -lpwgraph -lqueue -llinked_list.
 */
#ifndef PWGRAPH_H
#define PWGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PW_EXPORT
#define PW_EXPORT __attribute__((visibility("default")))
#endif

#define PWGRAPH_TEXT_SIZE 512 /* room for any message or label */

struct pwgraph;        /* a loaded graph */
struct pwgraph_search; /* the state for searches, one per thread */

enum pwgraph_answer {
    PWGRAPH_FAILED = -1, /* out of memory, or a node that the graph does not have */
    PWGRAPH_NO_PATH = 0,
    PWGRAPH_FOUND = 1,
};

enum pwgraph_fit {
    PWGRAPH_UNKNOWN = 0,  /* no node, or several that are spelt alike */
    PWGRAPH_EXACT = 1,    /* the exact name, an id or a page */
    PWGRAPH_FORGIVEN = 2, /* with spaces for underscores, in another case, or without accents */
};

/*
 * Load a graph from a file in any format that bfs reads, recognised by its content. Takes 8 bytes
 * per edge and 16 per node. NULL on failure, with the reason, one line, in message. Freed with
 * pwgraph_free, after its searches.
 */
PW_EXPORT struct pwgraph *pwgraph_load(const char *path, char message[PWGRAPH_TEXT_SIZE]);
PW_EXPORT void pwgraph_free(struct pwgraph *graph);

PW_EXPORT uint32_t pwgraph_node_count(const struct pwgraph *graph);
PW_EXPORT uint64_t pwgraph_edge_count(const struct pwgraph *graph);

/* The node with this name or this id in the file; in the snapshot of a wiki, a number that is not a
 * title is the id of a page. False if there is none. */
PW_EXPORT bool pwgraph_find(const struct pwgraph *graph, const char *name, uint32_t *node);

/*
 * The same for a name that somebody has typed: if text is not an exact name, it may be another
 * spelling of exactly one. message: one line that says what was forgiven ("cote divoire" is taken
 * for "Côte_d'Ivoire"), or why there is no such node, with a suggestion (no node is called "Chese";
 * did you mean Cheese?). It is empty for PWGRAPH_EXACT. For PWGRAPH_UNKNOWN *node is unchanged. The
 * first name that is not exact takes 8 to 16 bytes per node.
 */
PW_EXPORT enum pwgraph_fit pwgraph_resolve(const struct pwgraph *graph, const char *text,
                                           uint32_t *node, char message[PWGRAPH_TEXT_SIZE]);

/* A node's name in the file: text, or a string that the graph owns. node: of the graph. */
PW_EXPORT const char *pwgraph_label(const struct pwgraph *graph, uint32_t node,
                                    char text[PWGRAPH_TEXT_SIZE]);

/*
 * Prepare to search. engine: a name of `bfs --list-engines`, or NULL for the fastest for single
 * questions. NULL if there is no such engine, or when out of memory.
 */
PW_EXPORT struct pwgraph_search *pwgraph_search_create(const struct pwgraph *graph,
                                                       const char *engine);
PW_EXPORT void pwgraph_search_free(struct pwgraph_search *search);

/* Search. hops: the edges of a shortest path if one is found; else unchanged. May be NULL. */
PW_EXPORT enum pwgraph_answer pwgraph_search_run(struct pwgraph_search *search, uint32_t source,
                                                 uint32_t target, uint32_t *hops);

/*
 * Write the path of the last run to nodes: hops + 1 nodes, source and target included. Returns
 * false if it found none, if capacity (entries of nodes) is too small, when out of memory, or if a
 * damaged snapshot's two adjacencies contradict each other. At most once per run.
 */
PW_EXPORT bool pwgraph_search_path(struct pwgraph_search *search, uint32_t *nodes, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
