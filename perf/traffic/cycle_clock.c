/*
 * cycle_clock.c - what the processor's counter costs, and how long its ticks are.
 */
#include "cycle_clock.h"
#include "perf/report/clock.h"
#include "perf/report/samples.h"

#define READINGS 10001

struct cycle_clock cycle_clock_calibrate(void)
{
    static uint32_t differences[READINGS];
    struct cycle_clock clock = {.name = "clock_gettime"};
#if defined(__x86_64__)
    clock.name = "time-stamp counter";
#elif defined(__aarch64__)
    clock.name = "virtual counter";
#endif
    for (int i = 0; i < READINGS; i++) {
        uint64_t start = cycle_clock_now();
        differences[i] = (uint32_t)(cycle_clock_now() - start);
    }
    clock.reading_ticks = samples_quantile(differences, READINGS, 0.5);
    uint64_t start_ns = clock_now_ns();
    uint64_t start = cycle_clock_now();
    while (clock_now_ns() - start_ns < 20000000) {
    }
    uint64_t end = cycle_clock_now();
    clock.ns_per_tick = (double)(clock_now_ns() - start_ns) / (double)(end - start);
    return clock;
}
