/*
 * thread_patterns.h - lists and queues in many threads, by the challenge's headers alone.
 *
 * Each pattern returns how many things were wrong: a value lost, double or out of order, a call
 * refused, a child of fork that failed. The same seed gives the same work, not the same order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct thread_pattern {
    const char *name;
    size_t (*run)(uint64_t seed, size_t work); /* work: elements per thread, about */
};

/* Ended by a NULL name. */
extern const struct thread_pattern thread_patterns[];
