/*
 * parents.h - unreached nodes look for an in-neighbour in the frontier: a level bottom up, or a
 * part of it.
 *
 * The candidates of some words look in step, each at its next in-neighbour, without a branch to
 * predict; the few without a parent after some looks finish their lists one by one.
 */
#pragma once

#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PARENTS_BATCH  16 /* words whose candidates look together */
#define PARENTS_ROUNDS 4  /* looks that the candidates of a batch make in step */

/* Words cover the nodes that look for a parent, from the first on, unless noted. */
struct parents {
    const uint64_t *offsets; /* of the nodes that look, into their in-neighbours */
    const uint32_t *neighbours;
    const uint64_t *candidates;
    const uint64_t *seen; /* word i is at i * stride */
    size_t stride;
    const uint64_t *frontier; /* of all nodes */
    uint64_t *reached;
    uint32_t *found; /* the parent of each node that has one now; NULL: not wanted */
};

/* Nodes that look for a parent, each with the rest of its in-neighbours. */
struct parents_batch {
    size_t count;
    uint32_t nodes[PARENTS_BATCH * 64];
    const uint32_t *next[PARENTS_BATCH * 64];
    const uint32_t *ends[PARENTS_BATCH * 64];
};

static inline bool parents_is_in(const uint64_t *frontier, uint32_t node)
{
    return frontier[node / 64] >> (node & 63) & 1;
}

/* The first of the in-neighbours that is in the frontier, or NULL; counts the entries examined. */
static inline const uint32_t *parents_find(const uint32_t *begin, const uint32_t *end,
                                           const uint64_t *frontier, uint64_t *edges)
{
    for (const uint32_t *next = begin; next < end; next++) {
        if (parents_is_in(frontier, *next)) {
            *edges += (uint64_t)(next - begin) + 1;
            return next;
        }
    }
    *edges += (uint64_t)(end - begin);
    return NULL;
}

/* The candidates of some words that are not seen yet. */
static inline void parents_fill(struct parents_batch *batch, const struct parents *parents,
                                size_t word, size_t end)
{
    const uint64_t *offsets = parents->offsets;
    size_t count = 0;
    for (; word < end; word++) {
        const uint64_t seen = parents->seen[word * parents->stride];
        for (uint64_t left = parents->candidates[word] & ~seen; left != 0; left &= left - 1) {
            const uint32_t node = (uint32_t)(word * 64 + (size_t)__builtin_ctzll(left));
            batch->nodes[count++] = node;
            __builtin_prefetch(&offsets[node]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = batch->nodes[i];
        batch->next[i] = parents->neighbours + offsets[node];
        batch->ends[i] = parents->neighbours + offsets[node + 1];
        __builtin_prefetch(batch->next[i]);
    }
    pw_assert(count <= COUNT_OF(batch->nodes));
    batch->count = count;
}

/* All of the batch look at one more in-neighbour; finished nodes leave it. found: NULL, or the
 * parents, where the nodes of the batch have no parent yet. */
static inline void parents_step(struct parents_batch *batch, const uint64_t *frontier,
                                uint64_t *reached, uint32_t *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const uint32_t node = batch->nodes[i];
        const uint32_t *next = batch->next[i];
        const uint32_t *end = batch->ends[i];
        pw_assert(next < end);
        const uint64_t met = parents_is_in(frontier, *next);
        reached[node / 64] |= met << (node & 63);
        if (found != NULL) {
            found[node] = *next | ((uint32_t)met - 1); /* all bits set: not met */
        }
        batch->nodes[kept] = node;
        batch->next[kept] = next + 1;
        batch->ends[kept] = end;
        kept += !met & (next + 1 < end);
    }
    pw_assert(kept <= batch->count);
    batch->count = kept;
}

/* As parents_look; found: of parents, or NULL, which the compiler then knows. */
static inline __attribute__((always_inline)) uint64_t
parents_look_for(const struct parents *parents, size_t word, size_t end, uint32_t *found)
{
    uint64_t *reached = parents->reached;
    struct parents_batch batch;
    uint64_t edges = 0;
    pw_assert(word <= end);
    memset(reached + word, 0, (end - word) * sizeof(*reached));
    for (; word < end; word += PARENTS_BATCH) {
        const size_t left = end - word;
        parents_fill(&batch, parents, word, word + (left < PARENTS_BATCH ? left : PARENTS_BATCH));
        for (int round = 0; round < PARENTS_ROUNDS; round++) {
            edges += batch.count;
            parents_step(&batch, parents->frontier, reached, found);
        }
        for (size_t i = 0; i < batch.count; i++) {
            const uint32_t node = batch.nodes[i];
            const uint32_t *parent =
                parents_find(batch.next[i], batch.ends[i], parents->frontier, &edges);
            if (parent != NULL) {
                reached[node / 64] |= (uint64_t)1 << (node & 63);
            }
            if (parent != NULL && found != NULL) {
                found[node] = *parent;
            }
        }
    }
    return edges;
}

/* Fill in some words of reached, and the parents of their nodes. Returns the number of entries
 * examined. */
static inline uint64_t parents_look(const struct parents *parents, size_t word, size_t end)
{
    return parents->found == NULL ? parents_look_for(parents, word, end, NULL)
                                  : parents_look_for(parents, word, end, parents->found);
}
