/*
 * turns.h - rounds in which cases take turns.
 *
 * 1. In each round every case has one run, in an order drawn again for each round, so that a slow
 *    minute of the machine hits all cases alike and none always follows the same other one.
 * 2. A case that cannot go on is left out of the rounds that follow; the others go on.
 * 3. Only whole rounds count: what the cases of one round have is compared with each other.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TURNS_CASES_MAX 64

enum turn {
    TURN_MADE,
    TURN_LEFT_OUT, /* this case takes part no more */
    TURN_ENDED,    /* no further run: interrupted, or failed */
};

struct turns {
    size_t case_count; /* at most TURNS_CASES_MAX */
    size_t rounds;     /* wanted */
    /* Make one run of a case. The rounds count from 0. */
    enum turn (*take)(void *context, size_t round, size_t index);
    void *context;
};

/* Make the rounds. seed: of the order. Returns how many are whole. */
size_t turns_take(const struct turns *turns, uint64_t seed);
