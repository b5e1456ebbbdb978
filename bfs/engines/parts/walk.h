/*
 * walk.h - all that some nodes reach, level by level: distances, parents, nodes at each distance.
 *
 * 1. A walk is a search without a target, by the steps of the level engines (level_search.h). Nodes
 *    without out-edges are not marked beforehand: they have a distance, too. Nodes to avoid are.
 * 2. The visit order and where its levels start are the result; distances are written from it.
 * 3. Parents are written by the steps: some node of the level before; in queue order, where every
 *    frontier is expanded node after node, the first one in the queue.
 * 4. A graph that is checked by block is read as far as the walk goes while frontiers are sparse.
 *    Before the first dense one, all of it is checked.
 * Cost: 5 bytes per node; a visit costs what it does in "direction-optimizing", in queue order what
 * it does in "array". A sparse level costs nothing per node of the graph: there may be thousands.
 * Distances are 4 bytes per node, written in order. Parents are cleared in order, 4 bytes per node;
 * bottom up they are written in order, too. Top down each is written anywhere in memory, which
 * moves a cache line of 64 bytes in and out. Fetching these lines ahead gains nothing measurable,
 * nor does sorting the writes by node. Not for one target: "bidirectional".
 */
#pragma once

#include "bfs/search/search.h"
#include "visit_order.h"

struct walk;

enum walk_order {
    WALK_ANY_ORDER,      /* within a level, and any parent of the level before */
    WALK_IN_QUEUE_ORDER, /* the order, and the parents, of a search with a queue */
};

struct walk_plan {
    const uint32_t *sources; /* repeats are fine; those to avoid are left out */
    size_t source_count;
    bool is_backwards; /* over the reverse adjacency: what reaches the sources */
    enum walk_order order;
    uint32_t hops_max; /* do not go further; SEARCH_HOPS_NONE: no limit */
    uint32_t *parents; /* in any order: node_limit entries, SEARCH_HOPS_NONE for a source and for
                          what is not reached; or NULL */
    bool by_place; /* in queue order: keep the node that each place in the order was found from */
    const uint32_t *avoided; /* nodes that are not there: nothing reaches them */
    size_t avoided_count;
    const struct search_limits *limits; /* or NULL */
};

/* The state for walks in a graph, with that many threads. NULL when out of memory. */
struct walk *walk_create(const struct graph *graph, unsigned threads);
void walk_destroy(struct walk *walk);

/* Make the state at *walk if it is NULL, and make it again for another number of threads. False
 * when out of memory; then *walk is NULL. */
bool walk_prepare(struct walk **walk, const struct graph *graph, unsigned threads);

/*
 * Walk. If it ends early, at a limit or a bad block, the status in result says so, and the order
 * has what was reached by then. Of the other members, visited, expanded, pushed, edges and
 * elapsed_ns are set.
 */
void walk_find(struct walk *walk, const struct walk_plan *plan, struct search_result *result);

/* What the last walk reached: valid until the next. Level 0 has the sources; if there were any, no
 * level is empty. */
size_t walk_level_count(const struct walk *walk);
const size_t *walk_level_begins(const struct walk *walk); /* level_count + 1 entries */
const uint32_t *walk_nodes(const struct walk *walk);

/* By place: the node that each was found from; without meaning for the sources. NULL without
 * by_place. */
const uint32_t *walk_found_from(const struct walk *walk);

/* Write the distance of each node to hops, node_limit entries; SEARCH_HOPS_NONE: not reached. */
void walk_write_hops(struct walk *walk, uint32_t *hops);
