/*
 * id_set.c - a bitmap of node ids with ranks.
 */
#include "id_set.h"
#include "base/pw_assert.h"
#include "graph_memory.h"

#define WORD_COUNT ((size_t)1 << 26)
#define RANK_COUNT ((size_t)1 << 23)

bool id_set_init(struct id_set *set)
{
    set->words = memory_map(WORD_COUNT * sizeof(*set->words), false);
    set->ranks = memory_map(RANK_COUNT * sizeof(*set->ranks), false);
    set->count = 0;
    if (set->words == NULL || set->ranks == NULL) {
        id_set_free(set);
        return false;
    }
    return true;
}

void id_set_free(struct id_set *set)
{
    memory_unmap(set->words, WORD_COUNT * sizeof(*set->words));
    memory_unmap(set->ranks, RANK_COUNT * sizeof(*set->ranks));
    set->words = NULL;
    set->ranks = NULL;
}

void id_set_rank_all(struct id_set *set, uint64_t limit)
{
    uint32_t count = 0;
    for (size_t group = 0; group <= (limit - 1) >> 9; group++) {
        set->ranks[group] = count;
        for (size_t i = 0; i < 8; i++) {
            count += (uint32_t)__builtin_popcountll(set->words[group * 8 + i]);
        }
    }
    set->count = count;
    set->limit = limit;
    pw_assert(id_set_check(set));
}

bool id_set_check(const struct id_set *set)
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

void id_set_list(const struct id_set *set, uint32_t *ids)
{
    const uint32_t *first = ids;
    for (size_t i = 0; i <= (set->limit - 1) >> 6; i++) {
        for (uint64_t word = set->words[i]; word; word &= word - 1) {
            *ids++ = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(word));
        }
    }
    pw_assert((size_t)(ids - first) == set->count);
    (void)first;
}
