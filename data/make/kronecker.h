/*
 * kronecker.h - the edges of a Kronecker graph, each from the seed and its number alone.
 *
 * So any thread or machine can draw any range of them; the graph does not depend on who drew what.
 * The parameters are Graph500's; kronecker.c describes the drawing.
 */
#pragma once

#include <stdint.h>

#define KRONECKER_SCALE_MAX       48
#define KRONECKER_SCRAMBLE_ROUNDS 3

struct kronecker {
    uint64_t seed;
    unsigned scale;
    uint64_t factors[KRONECKER_SCRAMBLE_ROUNDS], summands[KRONECKER_SCRAMBLE_ROUNDS];
};

/* scale: at most KRONECKER_SCALE_MAX; the graph has 2^scale nodes, numbered from 0. */
void kronecker_open(struct kronecker *kronecker, unsigned scale, uint64_t seed);

/* The two ends of an edge. Loops and repeats occur. */
void kronecker_edge(const struct kronecker *kronecker, uint64_t edge, uint64_t ends[2]);
