/*
 * speed.h - how many times as fast, and how sure that is.
 *
 * The runs of a round were made one after the other, so the ratio of two of them is free of what
 * changes slowly; the median of these ratios is the answer. Its interval lies between two order
 * statistics and needs no assumption about how times are distributed. Source: David and Nagaraja,
 * "Order Statistics", 3rd edition, 7.1.
 */
#pragma once

#include <stddef.h>

#define SPEED_CONFIDENCE 0.95 /* wished; few runs give less */

struct speed {
    double ratio;      /* the median; not a number where a time is zero */
    double low, high;  /* of the interval that holds the true median */
    double confidence; /* with this probability: 0.94 of five rounds, 0 of one */
};

/* How many times as fast as base (count times in ns) the others are; scratch: room for count. */
struct speed speed_of(const double *base_ns, const double *ns, size_t count, double *scratch);
