/*
 * prng.h - random numbers that are the same on every machine, and three distributions of sizes.
 *
 * The generator is xoshiro256** (Blackman and Vigna, 2018); splitmix64 fills its state from the
 * seed. The distributions use only +, -, *, / and square roots of doubles, which IEEE 754 fixes to
 * the last bit. They use no mathematical library, because libraries differ.
 */
#pragma once

#include <stdint.h>

struct prng {
    uint64_t state[4];
};

void prng_start(struct prng *prng, uint64_t seed);

uint64_t prng_next(struct prng *prng);

/* A number below limit (at least 1), uniform up to a bias of 2^-32. limit: below 2^32. */
uint32_t prng_below(struct prng *prng, uint32_t limit);

/* Exponential with mean 1. */
double prng_exponential(struct prng *prng);

/* Normal with mean 0 and standard deviation 1. */
double prng_normal(struct prng *prng);

/* e to the power of x, for |x| below 700; within a few units of the last place. */
double prng_exp(double x);

/* The natural logarithm of a normal x above 0; within a few units of the last place. */
double prng_log(double x);
