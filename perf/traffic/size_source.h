/*
 * size_source.h - the sizes of the experiment "distributions", and their histogram.
 */
#pragma once

#include "base/program/command_line.h"

#define SIZE_SOURCE_MIN     4
#define SIZE_SOURCE_MAX     524287
#define SIZE_SOURCE_BUCKETS 19 /* powers of two: bucket i holds 2^i to 2^(i+1) - 1 */

enum size_distribution {
    SIZES_UNIFORM,     /* from 4 to 524287 */
    SIZES_EXPONENTIAL, /* mean 65536 */
    SIZES_LOG_NORMAL,  /* median 92, sigma 0.6: densest at 64 */
    SIZES_DISTRIBUTIONS
};

extern const char *const size_distribution_names[SIZES_DISTRIBUTIONS];

/* The first count sizes, clipped to 4..524287, the same on every machine. */
void size_source_fill(enum size_distribution distribution, uint64_t seed, uint32_t *sizes,
                      size_t count);

void size_source_histogram(const uint32_t *sizes, size_t count,
                           uint64_t histogram[SIZE_SOURCE_BUCKETS]);

/*
 * Sizes recorded from a workload: a script of the allocator "record", or a text with one size per
 * line. They are repeated if there are fewer than count. False with error set.
 */
bool size_source_load(const char *path, uint32_t *sizes, size_t count, struct command_error *error);
