/*
 * cycle_clock.h - the processor's own counter, for intervals of a few nanoseconds.
 *
 * On x86-64 the time-stamp counter, on AArch64 the virtual counter, elsewhere CLOCK_MONOTONIC in
 * nanoseconds. A reading waits for the instructions before it. The cost of a reading is measured,
 * so that it can be printed and subtracted.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include "base/report/clock.h"
#endif

struct cycle_clock {
    double ns_per_tick;
    uint32_t reading_ticks; /* between two readings with nothing between them: the median */
    const char *name;
};

static inline uint64_t cycle_clock_now(void)
{
#if defined(__x86_64__)
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(ticks) : : "memory");
    return ticks;
#else
    return clock_now_ns();
#endif
}

/* Measure the clock itself; takes about 20 ms. */
struct cycle_clock cycle_clock_calibrate(void);

/* Ticks between two readings, less the cost of one; not below 0. */
static inline uint64_t cycle_clock_between(const struct cycle_clock *clock, uint64_t start,
                                           uint64_t end)
{
    uint64_t ticks = end - start;
    return ticks > clock->reading_ticks ? ticks - clock->reading_ticks : 0;
}

/* The quantile at a share (0 to 1) of count intervals; reorders them. count: at least 1. */
uint32_t ticks_quantile(uint32_t *ticks, size_t count, double share);
