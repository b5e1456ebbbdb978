/*
 * splitmix.h - SplitMix64, a small random number generator with no bad seed.
 *
 * Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014). Not for secrets.
 */
#pragma once

#include <stdint.h>

/* Mix 64 bits so that every input bit changes half of the output bits; one-to-one. */
static inline uint64_t splitmix_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The next number of the stream; any value of *state is a seed. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return splitmix_mix(*state);
}
