/*
 * id_set.h - which node ids occur among the edges, and the rank of each: for renumbering.
 *
 * One of two forms, whichever takes less memory:
 * 1. Bits: one per id up to the largest, with a count per 512 bits. A rank is two loads and a few
 *    population counts. Cost: 17 bytes per 128 ids up to the largest.
 * 2. Lists, if ids are few and far apart: per group of 2^16 ids, the low halves of the ids in use,
 *    ascending. A rank is a binary search in one list. Cost: 2 bytes per id, 256 KiB.
 * edge_ids.h makes a set. A list per group is the array container of S. Chambi et al., "Better
 * bitmap performance with Roaring bitmaps" (2016).
 */
#pragma once

#include "id_rank.h"

#define ID_GROUP_WORDS ((size_t)1 << (ID_GROUP_BITS - 6)) /* of 64 bits, one per id of a group */

/* The number of groups of 2^16 ids. */
static inline size_t id_set_group_count(uint64_t limit)
{
    return (size_t)((limit - 1) >> ID_GROUP_BITS) + 1;
}

/* The size of the bits in bytes, for ids below limit, which is not 0. */
uint64_t id_set_bits_bytes(uint64_t limit);

/* Make an empty set of bits for ids below limit, which is not 0. False when out of memory. */
bool id_set_init_bits(struct id_set *set, uint64_t limit);

/* Make the empty groups of a set of lists; ids follow. False when out of memory. */
bool id_set_init_lists(struct id_set *set, uint64_t limit);

/* Make room for the ids of the lists once starts is filled. False when out of memory. */
bool id_set_place_lists(struct id_set *set);

/* An all-zero set is fine. */
void id_set_free(struct id_set *set);

/* Add an id to a set of bits; threads may do so at the same time. */
static inline void id_set_add(struct id_set *set, uint32_t id)
{
    uint64_t *word = &set->words[id >> 6];
    uint64_t bit = (uint64_t)1 << (id & 63);
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit)) {
        __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
}

/* Number the ids of a set of bits in ascending order. */
void id_set_rank_all(struct id_set *set);

/* True if ranks and ids of a finished set are consistent. Cost: O(limit / 64) or O(count). */
bool id_set_check(const struct id_set *set);

/* List the ids in ascending order into ids, which has room for count. */
void id_set_list(const struct id_set *set, uint32_t *ids);
