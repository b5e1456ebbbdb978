/*
 * time_histogram.h - how long the searches of a run took: quantiles, in memory that does not grow.
 *
 * 1. A time in ns below 2048 has its own bucket. From there on each doubling is divided into 1024
 *    buckets, so that a quantile is right to 0.1 %.
 * Cost: 440 KiB reserved, only what is used is touched; some 2 ns per time.
 * Source: G. Tene's HdrHistogram, 2012.
 */
#pragma once

#include <stdint.h>

#define TIME_STEPS   1024                         /* buckets of a doubling */
#define TIME_BUCKETS ((64 - 10 + 1) * TIME_STEPS) /* 10 bits choose one */

struct time_histogram {
    uint64_t total;
    uint64_t counts[TIME_BUCKETS];
};

/* Add a time. The histogram is all zero at first. */
void time_histogram_add(struct time_histogram *times, uint64_t ns);

/* The smallest time that this many per cent of all, 1 to 100, do not exceed. Needs at least one. */
uint64_t time_histogram_percentile(const struct time_histogram *times, unsigned percent);
