/*
 * size_histogram.h - a histogram of sizes from a file, and sizes drawn from it, mixed.
 *
 * A line is "size count", or "from,to,count,..." as "distributions" writes it: one count per kind
 * of sizes. A head names the kinds. '#' starts a comment.
 */
#pragma once

#include "base/program/command_line.h"

#define HISTOGRAM_KINDS_MAX 8

struct size_range {
    uint32_t from, to;                    /* bytes; each size is as likely as any other */
    uint64_t counts[HISTOGRAM_KINDS_MAX]; /* of this range and all before it */
};

struct size_histogram {
    struct size_range *ranges;
    size_t range_count, range_capacity;
    size_t kind_count;
    char names[HISTOGRAM_KINDS_MAX][40];
};

/* Read a file; every kind has a count. False with error set; close it in either case. */
bool size_histogram_load(struct size_histogram *histogram, const char *path,
                         struct command_error *error);
void size_histogram_close(struct size_histogram *histogram);

/* All sizes of a kind. */
uint64_t size_histogram_total(const struct size_histogram *histogram, size_t kind);

/* Draw count sizes of a kind, one after the other in random order; the same on every machine. */
void size_histogram_draw(const struct size_histogram *histogram, size_t kind, uint64_t seed,
                         uint32_t *sizes, size_t count);
