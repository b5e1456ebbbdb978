/*
 * id_set.h - which of the 2^32 node ids occur, and the rank of each among them.
 *
 * One bit per id, in pages that are touched only where ids occur. A count per 512 bits makes a rank
 * two loads and a few population counts. Cost: up to 544 MiB for ids spread over all of 2^32.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct id_set {
    uint64_t *words; /* 2^26 */
    uint32_t *ranks; /* 2^23: ids below each group of 8 words; valid after id_set_rank_all */
    uint64_t limit;  /* one past the largest id */
    uint32_t count;
};

bool id_set_init(struct id_set *set);
void id_set_free(struct id_set *set);

/* Add an id; any number of threads may at once. */
static inline void id_set_add(struct id_set *set, uint32_t id)
{
    uint64_t *word = &set->words[id >> 6];
    uint64_t bit = (uint64_t)1 << (id & 63);
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit)) {
        __atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
    }
}

/* Number the ids in ascending order. limit: one past the largest. */
void id_set_rank_all(struct id_set *set, uint64_t limit);

/* Whether the ranks of a ranked set are those of its bits. Cost: O(limit / 64). */
bool id_set_check(const struct id_set *set);

/* How many ids of the set are smaller. id: below limit. */
static inline uint32_t id_set_rank(const struct id_set *set, uint32_t id)
{
    const uint64_t *words = set->words;
    uint32_t rank = set->ranks[id >> 9];
    for (size_t i = id >> 9 << 3; i < id >> 6; i++) {
        rank += (uint32_t)__builtin_popcountll(words[i]);
    }
    uint64_t below = ((uint64_t)1 << (id & 63)) - 1;
    return rank + (uint32_t)__builtin_popcountll(words[id >> 6] & below);
}

/* List the ids in ascending order into ids, which has room for count. */
void id_set_list(const struct id_set *set, uint32_t *ids);
