/*
 * samples.h - the median, the mean and the spread of a set of measurements; the interval of a
 * median, and of a ratio.
 *
 * The one place in C: whoever shows such a figure takes it from here. An interval lies between two
 * order statistics, so it needs no assumption about how the measurements are distributed. With few
 * of them it has less confidence than wanted; then it is the whole range, and its confidence says
 * so. Source: David and Nagaraja, "Order Statistics", 3rd edition, 7.1.
 */
#pragma once

#include <stddef.h>

#define SAMPLES_CONFIDENCE 0.95 /* what is wanted, where nobody says something else */

struct samples_summary {
    double mean, median, low, high; /* low and high: the smallest and the largest */
    double deviation;               /* half the distance of the quartiles; of one value: NaN */
    double spread;                  /* the same over the median */
};

/* The summary of the finite ones among count values, which get sorted; all NaN if there are
 * none. */
struct samples_summary samples_summarize(double *values, size_t count);

struct samples_interval {
    double median;     /* NaN: there is no value */
    double low, high;  /* the ends of the interval that holds the true median */
    double confidence; /* with this probability: 0.94 of five values, 0 of one */
};

/* The interval of the finite ones among count values, which get sorted. confidence: wanted. */
struct samples_interval samples_interval(double *values, size_t count, double confidence);

/* The confidence of the whole range of count values, the largest that an interval of them has. */
double samples_confidence(size_t count);

/*
 * How large values are in units of bases, which were measured in the same rounds: the runs of a
 * round follow each other closely, so slow changes of the machine cancel in their ratio, and the
 * median of these ratios is the answer. A round in which either of the two is missing (NaN), or the
 * base is zero, does not count. scratch: room for count.
 */
struct samples_interval samples_ratio(const double *values, const double *bases, size_t count,
                                      double confidence, double *scratch);
