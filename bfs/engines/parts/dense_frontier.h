/*
 * dense_frontier.h - a level with many nodes, expanded as bits: no branch per edge, no atomic
 * operation, and the next frontier in order of the nodes.
 *
 * 1. Each member of the team sets a bit for every neighbour, reached before or not, in its own
 *    bitmap.
 * 2. The bitmaps are combined word by word, and the nodes marked before are removed: the bits of
 *    the next frontier.
 * 3. Each member turns its share of the words into nodes, at their place in the visit order.
 * Cost: one bit set blindly per edge, in cache; three passes over the words, 1/8 byte per node and
 * member. Gain: the branch of the plain method is taken for one edge in four or so and cannot be
 * predicted; and the neighbours of nodes in order are read in address order.
 * Not for sparse frontiers: the passes cost as much for one node as for a million.
 * Source: Chhugani et al., "Fast and Efficient Graph Traversal Algorithm for CPUs", IPDPS 2012.
 */
#pragma once

#include "level.h"
#include "workspace.h"

struct dense_frontier {
    struct workspace *workspace; /* of the search */
    struct level *level;
    size_t words;                /* of bits, in each bitmap */
    uint64_t *bits;              /* the frontier, after dense_frontier_bits */
    uint64_t *next;              /* the frontier appended last, or to be appended */
    size_t bits_begin, bits_end; /* the stretch of the visit order that bits shows */
    size_t next_begin, next_end; /* the one that next shows */
    bool dirty;                  /* a member has reached nodes in this search */
    bool combine;                /* next is to be made from what the members reached */
    uint32_t *parents;           /* of the level under way; NULL: not wanted */
    unsigned member_count;
    struct dense_member *members;
};

/* Prepare for that many members; NULL when out of memory. Free it with dense_frontier_destroy;
 * NULL is fine there. */
struct dense_frontier *dense_frontier_create(struct workspace *workspace, struct level *level,
                                             unsigned members);
void dense_frontier_destroy(struct dense_frontier *dense);

/* Forget the last search. */
void dense_frontier_start(struct dense_frontier *dense);

/*
 * Go from each node of the frontier to its neighbours, all members together. Afterwards either
 * level->found is set, or the next frontier is marked and appended to the visit order. parents:
 * NULL, or for each node of the next frontier the one from which a member reached it is written
 * there; then the bits are not set blindly, because only nodes without a mark get a parent.
 */
void dense_frontier_top_down(struct dense_frontier *dense, uint32_t *parents);

/*
 * For bottom up, when the members write the next frontier as bits. First fill in bits; a second
 * call for the same frontier costs nothing. When every word of next is written, with nodes neither
 * marked nor in the frontier, append marks them and adds them to the visit order.
 */
void dense_frontier_bits(struct dense_frontier *dense);
void dense_frontier_append(struct dense_frontier *dense);
