/*
 * thread_patterns.h - lists and queues in many threads, by the challenge's headers alone.
 *
 * Each pattern returns how many things were wrong: a value lost, double or out of order, a call
 * refused. The same seed gives the same work, not the same order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define THREAD_WORK_MAX 100000000u /* four threads count all their elements in an unsigned int */

struct thread_pattern {
    const char *name;
    size_t (*run)(uint64_t seed, size_t work); /* work: elements per thread, about;
                                                   1 to THREAD_WORK_MAX */
};

/* Ended by a NULL name. */
extern const struct thread_pattern thread_patterns[];
