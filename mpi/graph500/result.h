/*
 * result.h - the result of a Graph500 run, with the keys and the statistics of the reference code.
 */
#pragma once

#include "base/report/report_value.h"

#define RESULT_KEYS_MAX 64

struct graph500_result {
    const char *program, *engine; /* engine: of bfs; NULL: the search of all ranks */
    unsigned scale;
    uint64_t edgefactor, seed;
    int ranks;
    double generation_s, construction_s;
    size_t count; /* of searches, at least 1 */
    uint64_t keys[RESULT_KEYS_MAX];
    double search_s[RESULT_KEYS_MAX], validate_s[RESULT_KEYS_MAX];
    double edges[RESULT_KEYS_MAX]; /* of the component */
};

/* Quartiles as in the reference code: the mean of the two neighbours. */
struct result_statistics {
    double minimum, first_quartile, median, third_quartile, maximum, mean, deviation;
};

/* count: from 1 to RESULT_KEYS_MAX; the deviation of a single value is 0. */
struct result_statistics result_statistics(const double *values, size_t count);

/* The standard deviation of the harmonic mean of rates, from their inverses. Source: N. Norris, The
 * Standard Errors of the Geometric and Harmonic Means (1940). */
double result_harmonic_deviation(const struct result_statistics *inverses, size_t count);

/* Text: as the reference code prints it. JSON: the same values by name, the context, and every
 * search. CSV: the searches. */
void graph500_result_write(FILE *out, enum report_format format,
                           const struct graph500_result *result);
