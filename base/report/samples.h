/*
 * samples.h - the median, the mean and the spread of a set of measurements.
 */
#pragma once

#include <stddef.h>

struct samples_summary {
    double mean, median, low, high; /* low and high: the smallest and the largest */
    double deviation;               /* half the distance of the quartiles; of one value: NaN */
    double spread;                  /* the same over the median */
};

/* The summary of the finite ones among count values, which get sorted; all NaN if there are
 * none. */
struct samples_summary samples_summarize(double *values, size_t count);
