/*
 * id_set.c - a bitmap of node ids with ranks, or a list per group of ids.
 */
#include "id_set.h"
#include "base/pw_assert.h"
#include "graph_memory.h"
#include <stdlib.h>
#include <string.h>

/* Whole groups of 8 words, as a rank reads them. */
static size_t rank_count(uint64_t limit)
{
    return (size_t)((limit - 1) >> 9) + 1;
}

uint64_t id_set_bits_bytes(uint64_t limit)
{
    return rank_count(limit) * (8 * sizeof(uint64_t) + sizeof(uint32_t));
}

bool id_set_init_bits(struct id_set *set, uint64_t limit)
{
    size_t groups = rank_count(limit);
    *set = (struct id_set){.limit = limit};
    set->words = memory_map(groups * 8 * sizeof(*set->words), false);
    set->ranks = memory_map(groups * sizeof(*set->ranks), false);
    if (set->words == NULL || set->ranks == NULL) {
        id_set_free(set);
        return false;
    }
    return true;
}

bool id_set_init_lists(struct id_set *set, uint64_t limit)
{
    *set = (struct id_set){.limit = limit};
    set->starts = calloc(id_set_group_count(limit) + 1, sizeof(*set->starts));
    return set->starts != NULL;
}

bool id_set_place_lists(struct id_set *set)
{
    set->count = set->starts[id_set_group_count(set->limit)];
    pw_assert(set->count > 0 && set->lows == NULL);
    set->lows = memory_map((size_t)set->count * sizeof(*set->lows), false);
    return set->lows != NULL;
}

void id_set_free(struct id_set *set)
{
    memory_unmap(set->words, rank_count(set->limit) * 8 * sizeof(*set->words));
    memory_unmap(set->ranks, rank_count(set->limit) * sizeof(*set->ranks));
    memory_unmap(set->lows, (size_t)set->count * sizeof(*set->lows));
    free(set->starts);
    memset(set, 0, sizeof(*set));
}

void id_set_rank_all(struct id_set *set)
{
    uint32_t count = 0;
    for (size_t group = 0; group < rank_count(set->limit); group++) {
        set->ranks[group] = count;
        for (size_t i = 0; i < 8; i++) {
            count += (uint32_t)__builtin_popcountll(set->words[group * 8 + i]);
        }
    }
    set->count = count;
    pw_assert(id_set_check(set));
}

static bool bits_hold(const struct id_set *set)
{
    uint64_t count = 0;
    for (size_t i = 0; i <= (set->limit - 1) >> 6; i++) {
        if (i % 8 == 0 && set->ranks[i / 8] != count) {
            return false;
        }
        count += (uint64_t)__builtin_popcountll(set->words[i]);
    }
    return count == set->count && count <= set->limit;
}

static bool lists_hold(const struct id_set *set)
{
    size_t groups = id_set_group_count(set->limit);
    bool holds = set->starts[0] == 0 && set->starts[groups] == set->count;
    for (size_t group = 0; group < groups && holds; group++) {
        holds = set->starts[group] <= set->starts[group + 1];
        for (uint32_t i = set->starts[group] + 1; i < set->starts[group + 1] && holds; i++) {
            holds = set->lows[i - 1] < set->lows[i];
        }
    }
    return holds;
}

bool id_set_check(const struct id_set *set)
{
    return set->lows != NULL ? lists_hold(set) : bits_hold(set);
}

void id_set_list(const struct id_set *set, uint32_t *ids)
{
    const uint32_t *first = ids;
    for (size_t i = 0; set->lows == NULL && i <= (set->limit - 1) >> 6; i++) {
        for (uint64_t word = set->words[i]; word; word &= word - 1) {
            *ids++ = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(word));
        }
    }
    for (size_t group = 0; set->lows != NULL && group < id_set_group_count(set->limit); group++) {
        for (uint32_t i = set->starts[group]; i < set->starts[group + 1]; i++) {
            *ids++ = (uint32_t)(group << ID_GROUP_BITS) | set->lows[i];
        }
    }
    pw_assert((size_t)(ids - first) == set->count);
    (void)first;
}
