/*
 * wide_level.h - a wide level as bits: no branch an edge, no atomic operation, the next level in
 * order of the nodes.
 *
 * 1. Each member of the team sets a bit for every neighbour, reached before or not, in a bitmap of
 *    its own.
 * 2. The bitmaps are combined word by word, and what was marked before is taken away: the bits of
 *    the next level.
 * 3. Each member turns its share of the words into nodes, at their place in the trail.
 * Cost: a bit an edge set blindly, in cache; three passes over the words, an eighth of a byte a
 * node, times members. Gain: the branch of the plain method, taken for one edge in four or so,
 * cannot be predicted; and the rows of a level in order of its nodes lie in address order.
 * Not for narrow levels: the passes cost the same for one node as for a million.
 * Source: bitmaps near the core instead of atomics, Chhugani et al., "Fast and Efficient Graph
 * Traversal Algorithm for CPUs", IPDPS 2012.
 */
#ifndef PW_WIDE_LEVEL_H
#define PW_WIDE_LEVEL_H

#include "level_search.h"

/* For that many members, or NULL. Freed by wide_level_destroy; NULL is fine there. */
struct wide_level *wide_level_create(const struct graph *graph, unsigned members);
void wide_level_destroy(struct wide_level *wide);

/* Forget the search before. */
void wide_level_begin(struct wide_level *wide);

/* From each node of the level to its neighbours, all members together. As level_search_top_down. */
void wide_level_top_down(struct level_search *search);

/*
 * The other way round: the members write the next level as bits. level gives the bits of the
 * current level; fresh gets those of nodes neither marked nor in the level, every word of it;
 * append then marks them and puts them behind the trail.
 */
const uint64_t *wide_level_bits(struct level_search *search);
uint64_t *wide_level_fresh(struct level_search *search);
void wide_level_append(struct level_search *search);

#endif
