/*
 * parents.c - see parents.h.
 */
#include "parents.h"
#include <string.h>

#define WORDS_PER_BATCH 16 /* words whose candidates look together */
#define ROUNDS          4  /* looks that the candidates of a batch make in step */

/* Own nodes that look for a parent, each with what is left of its in-neighbours. */
struct batch {
    size_t count;
    mpi_node nodes[WORDS_PER_BATCH * 64];
    const mpi_node *next[WORDS_PER_BATCH * 64];
    const mpi_node *ends[WORDS_PER_BATCH * 64];
};

/* The candidates of some own words that are not reached. */
static void batch_fill(struct batch *batch, const struct parents *parents, size_t word, size_t end)
{
    const struct mpi_rows *in = parents->in;
    size_t count = 0;
    for (; word < end; word++) {
        const uint64_t seen = parents->seen[word * parents->stride];
        for (uint64_t left = parents->candidates[word] & ~seen; left != 0; left &= left - 1) {
            const mpi_node node = (mpi_node)(word * 64 + (size_t)__builtin_ctzll(left));
            batch->nodes[count++] = node;
            __builtin_prefetch(&in->offsets[node]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        batch->next[i] = in->neighbours + in->offsets[batch->nodes[i]];
        batch->ends[i] = in->neighbours + in->offsets[batch->nodes[i] + 1];
        __builtin_prefetch(batch->next[i]);
    }
    batch->count = count;
}

/* All of the batch look at one more in-neighbour; those that need no more leave it. */
static void batch_look(struct batch *batch, const uint64_t *frontier, uint64_t *reached)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const mpi_node node = batch->nodes[i];
        const mpi_node *next = batch->next[i];
        const mpi_node *end = batch->ends[i];
        const uint64_t met = mpi_bit_test(frontier, *next);
        reached[node / 64] |= met << (node & 63);
        batch->nodes[kept] = node;
        batch->next[kept] = next + 1;
        batch->ends[kept] = end;
        kept += !met & (next + 1 < end);
    }
    batch->count = kept;
}

/* The rest of the batch, each to the end of its list or to a parent. Returns the looks. */
static uint64_t batch_finish(const struct batch *batch, const uint64_t *frontier, uint64_t *reached)
{
    uint64_t edges = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const mpi_node *next = parents_find(batch->next[i], batch->ends[i], frontier);
        edges += (uint64_t)(next - batch->next[i]) + (next < batch->ends[i]);
        if (next < batch->ends[i]) {
            mpi_bit_set(reached, batch->nodes[i]);
        }
    }
    return edges;
}

uint64_t parents_look(const struct parents *parents, size_t word, size_t end)
{
    struct batch batch;
    uint64_t edges = 0;
    memset(parents->reached + word, 0, (end - word) * sizeof(*parents->reached));
    for (; word < end; word += WORDS_PER_BATCH) {
        batch_fill(&batch, parents, word,
                   end - word < WORDS_PER_BATCH ? end : word + WORDS_PER_BATCH);
        for (int round = 0; round < ROUNDS; round++) {
            edges += batch.count;
            batch_look(&batch, parents->frontier, parents->reached);
        }
        edges += batch_finish(&batch, parents->frontier, parents->reached);
    }
    return edges;
}
