/*
 * random.h - random numbers for tests (SplitMix64), with a seed that is printed when a test fails.
 *
 * PW_TEST_SEED=N repeats a run. Check forks a process per test, so that each starts from the seed.
 */
#pragma once

#include "base/splitmix.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct rng {
    uint64_t state;
};

/* Seed from PW_TEST_SEED, else from the time; printed, so that a failure can be repeated. */
static inline struct rng random_start(const char *test)
{
    const char *given = getenv("PW_TEST_SEED");
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10)
                                  : (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
    printf("%s: PW_TEST_SEED=%llu\n", test, (unsigned long long)seed);
    fflush(stdout);
    return (struct rng){seed};
}

static inline uint64_t random_next(struct rng *rng)
{
    return splitmix_next(&rng->state);
}

/* The number of random cases to try, where a suite has so many: all of them, or with PW_SHARE=N one
 * in N, and at least one. ./test.sh sets it, and whoever runs suites under an emulator. */
static inline size_t random_share(size_t count)
{
    const char *given = getenv("PW_SHARE");
    const size_t every = given != NULL ? strtoul(given, NULL, 10) : 1;
    return every > 1 ? (count + every - 1) / every : count;
}

/* A number in 0..limit-1; limit is small against 2^64, so the bias does not matter here. */
static inline size_t random_below(struct rng *rng, size_t limit)
{
    return (size_t)(random_next(rng) % limit);
}
