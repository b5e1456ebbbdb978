/*
 * id_rank.h - the rank of a node id among the ids that occur, for renumbering; id_set.h says
 * how, and makes the sets.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ID_GROUP_BITS 16

struct id_set {
    uint64_t limit; /* one past the largest id */
    uint32_t count;
    /* Bits, or NULL. */
    uint64_t *words;
    uint32_t *ranks; /* ids below each group of 8 words; valid after id_set_rank_all */
    /* Lists, or NULL. */
    uint32_t *starts; /* ids below each group of 2^16 ids; one more than there are groups */
    uint16_t *lows;   /* count low halves */
};

/* How many ids of the set are smaller. id: below limit. */
static inline uint32_t id_set_rank(const struct id_set *set, uint32_t id)
{
    if (set->lows != NULL) {
        uint32_t start = set->starts[id >> ID_GROUP_BITS];
        uint32_t length = set->starts[(id >> ID_GROUP_BITS) + 1] - start;
        const uint16_t *low = set->lows + start;
        uint16_t wanted = (uint16_t)id;
        while (length > 0) {
            uint32_t half = length / 2;
            bool is_above = low[half] < wanted;
            low += is_above ? half + 1 : 0;
            length = is_above ? length - half - 1 : half;
        }
        return (uint32_t)(low - set->lows);
    }
    const uint64_t *words = set->words;
    uint32_t rank = set->ranks[id >> 9];
    for (size_t i = id >> 9 << 3; i < id >> 6; i++) {
        rank += (uint32_t)__builtin_popcountll(words[i]);
    }
    uint64_t below = ((uint64_t)1 << (id & 63)) - 1;
    return rank + (uint32_t)__builtin_popcountll(words[id >> 6] & below);
}
