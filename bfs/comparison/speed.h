/*
 * speed.h - how many times as fast, and with which confidence.
 *
 * The runs of a round follow each other closely, so slow changes of the machine cancel in their
 * ratio; the median of these ratios is the answer. Its interval lies between two order
 * statistics and needs no assumption about how times are distributed. Source: David and Nagaraja,
 * "Order Statistics", 3rd edition, 7.1.
 */
#pragma once

#include <stddef.h>

#define SPEED_CONFIDENCE 0.95 /* the aim; few runs give less */

struct speed {
    double ratio;      /* the median; not a number where a time is zero */
    double low, high;  /* of the interval that holds the true median */
    double confidence; /* with this probability: 0.94 of five rounds, 0 of one */
};

/* How many times as fast as base (count times in ns) the others are; scratch: room for count. */
struct speed speed_of(const double *base_ns, const double *ns, size_t count, double *scratch);
