/*
 * kronecker.c - draws an edge by descending scale times into a quarter of the adjacency matrix.
 *
 * The quarters have probability A = .57, B = .19, C = .19 and .05; then the ids are scrambled, so
 * that hubs do not come first. Cost: about 2 ns per edge and level.
 * Sources: the Graph500 specification, graph500.org; J. Leskovec et al., Kronecker graphs (2010).
 */
#include "kronecker.h"
#include "base/pw_assert.h"
#include "random_stream.h"
#include <stdbool.h>

/* Quarters of the matrix, as thresholds of a draw of 32 bits: A, A + B, A + B + C. */
#define QUARTER_A   UINT32_C(2448131359)
#define QUARTER_AB  UINT32_C(3264175145)
#define QUARTER_ABC UINT32_C(4080218931)

void kronecker_open(struct kronecker *kronecker, unsigned scale, uint64_t seed)
{
    pw_assert(scale <= KRONECKER_SCALE_MAX);
    *kronecker = (struct kronecker){.seed = seed, .scale = scale};
    uint64_t state = random_stream(seed, STREAM_LABELS, scale);
    for (int round = 0; round < KRONECKER_SCRAMBLE_ROUNDS; round++) {
        uint64_t random = splitmix_next(&state);
        kronecker->factors[round] = (uint32_t)random | 1;
        kronecker->summands[round] = random >> 32;
        if (scale > 32) { /* smaller ids do not need the upper halves */
            random = splitmix_next(&state);
            kronecker->factors[round] |= random << 32;
            kronecker->summands[round] |= random >> 32 << 32;
        }
    }
}

/* A one-to-one map of the numbers below 2^scale, as odd factors and shifts with xor are. */
static uint64_t scramble(const struct kronecker *kronecker, uint64_t id)
{
    const uint64_t mask = (UINT64_C(1) << kronecker->scale) - 1;
    for (int round = 0; round < KRONECKER_SCRAMBLE_ROUNDS; round++) {
        id = (id * kronecker->factors[round] + kronecker->summands[round]) & mask;
        id ^= id >> (kronecker->scale + 1) / 2;
    }
    return id;
}

void kronecker_edge(const struct kronecker *kronecker, uint64_t edge, uint64_t ends[2])
{
    uint64_t state = random_stream(kronecker->seed, STREAM_EDGE, edge), random = 0;
    uint64_t source = 0, target = 0;
    for (unsigned level = 0; level < kronecker->scale; level++) {
        random = level % 2 == 0 ? splitmix_next(&state) : random >> 32;
        uint32_t draw = (uint32_t)random;
        bool is_low = draw >= QUARTER_AB;
        bool is_right = draw >= (is_low ? QUARTER_ABC : QUARTER_A);
        source = source << 1 | is_low;
        target = target << 1 | is_right;
    }
    ends[0] = scramble(kronecker, source);
    ends[1] = scramble(kronecker, target);
}
