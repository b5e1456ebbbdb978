/*
 * cycle_clock.c - measures the cost of reading the processor's counter, and the length of a tick.
 */
#include "cycle_clock.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"

#define READINGS 10001

uint32_t ticks_quantile(uint32_t *ticks, size_t count, double share)
{
    pw_assert(count > 0 && share >= 0 && share <= 1);
    size_t wanted = (size_t)(share * (double)(count - 1));
    size_t low = 0;
    size_t high = count - 1;
    while (low < high) { /* Hoare's selection */
        uint32_t pivot = ticks[low + (high - low) / 2];
        size_t left = low;
        size_t right = high;
        for (;;) {
            while (ticks[left] < pivot) {
                left++;
            }
            while (ticks[right] > pivot) {
                right--;
            }
            if (left >= right) {
                break;
            }
            uint32_t swapped = ticks[left];
            ticks[left++] = ticks[right];
            ticks[right--] = swapped;
        }
        if (wanted <= right) {
            high = right;
        } else {
            low = right + 1;
        }
    }
    return ticks[wanted];
}

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
    clock.reading_ticks = ticks_quantile(differences, READINGS, 0.5);
    uint64_t start_ns = clock_now_ns();
    uint64_t start = cycle_clock_now();
    while (clock_now_ns() - start_ns < 20000000) {
    }
    uint64_t end = cycle_clock_now();
    clock.ns_per_tick = (double)(clock_now_ns() - start_ns) / (double)(end - start);
    return clock;
}
