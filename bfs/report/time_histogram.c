/*
 * time_histogram.c - see time_histogram.h.
 */
#include "time_histogram.h"
#include "base/pw_assert.h"
#include <stddef.h>

static size_t bucket_of(uint64_t ns)
{
    const unsigned bits = 64 - (unsigned)__builtin_clzll(ns | TIME_STEPS);
    const unsigned shift =
        bits - 11; /* leaves TIME_STEPS to 2 * TIME_STEPS - 1, or less unshifted */
    return (size_t)shift * TIME_STEPS + (size_t)(ns >> shift);
}

/* The middle of a bucket's range. */
static uint64_t time_of(size_t bucket)
{
    if (bucket < (size_t)2 * TIME_STEPS) {
        return bucket;
    }
    const unsigned shift = (unsigned)(bucket / TIME_STEPS) - 1;
    return ((uint64_t)(bucket - (size_t)shift * TIME_STEPS) << shift) + ((uint64_t)1 << shift) / 2;
}

void time_histogram_add(struct time_histogram *times, uint64_t ns)
{
    const size_t bucket = bucket_of(ns);
    pw_assert(bucket < TIME_BUCKETS && bucket_of(time_of(bucket)) == bucket);
    times->counts[bucket]++;
    times->total++;
}

uint64_t time_histogram_percentile(const struct time_histogram *times, unsigned percent)
{
    pw_assert(times->total > 0 && percent >= 1 && percent <= 100);
    const uint64_t left_out = times->total / 100 * (100 - percent) +
                              times->total % 100 * (100 - percent) / 100; /* cannot overflow */
    uint64_t seen = 0;
    size_t bucket = 0;
    while ((seen += times->counts[bucket]) < times->total - left_out) {
        bucket++;
    }
    return time_of(bucket);
}
