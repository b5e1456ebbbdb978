/*
 * result.c - see result.h.
 */
#include "result.h"
#include "base/pw_assert.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

struct result_statistics result_statistics(const double *values, size_t count)
{
    double sorted[RESULT_KEYS_MAX], squares = 0;
    struct result_statistics statistics = {.mean = 0};
    pw_assert(count > 0 && count <= RESULT_KEYS_MAX);
    for (size_t i = 0; i < count; i++) {
        statistics.mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - statistics.mean) * (values[i] - statistics.mean);
    }
    statistics.deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
    memcpy(sorted, values, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare);
    const size_t last = count - 1;
    statistics.minimum = sorted[0];
    statistics.first_quartile = (sorted[last / 4] + sorted[count / 4]) / 2;
    statistics.median = (sorted[last / 2] + sorted[count / 2]) / 2;
    statistics.third_quartile = (sorted[last - last / 4] + sorted[last - count / 4]) / 2;
    statistics.maximum = sorted[last];
    return statistics;
}

double result_harmonic_deviation(const struct result_statistics *inverses, size_t count)
{
    return count > 1
               ? inverses->deviation / (inverses->mean * inverses->mean * sqrt((double)(count - 1)))
               : 0;
}

static void write_number(FILE *out, const char *before, const char *name, const char *after,
                         int digits, double value)
{
    char key[64];
    snprintf(key, sizeof(key), "%s%s%s:", before, name, after);
    fprintf(out, "%-32s%.*g\n", key, digits, value);
}

static void write_statistics(FILE *out, const char *before, const char *after, int digits,
                             const struct result_statistics *values)
{
    write_number(out, before, "min", after, digits, values->minimum);
    write_number(out, before, "firstquartile", after, digits, values->first_quartile);
    write_number(out, before, "median", after, digits, values->median);
    write_number(out, before, "thirdquartile", after, digits, values->third_quartile);
    write_number(out, before, "max", after, digits, values->maximum);
}

/* The statistics of a measured quantity, with mean and deviation. */
static void write_values(FILE *out, const char *before, const char *after, int digits,
                         const double *values, size_t count)
{
    const struct result_statistics statistics = result_statistics(values, count);
    write_statistics(out, before, after, digits, &statistics);
    write_number(out, before, "mean", after, digits, statistics.mean);
    write_number(out, before, "stddev", after, digits, statistics.deviation);
}

static void write_rates(FILE *out, const struct graph500_result *result)
{
    double inverses[RESULT_KEYS_MAX];
    for (size_t i = 0; i < result->count; i++) {
        inverses[i] = result->search_s[i] / result->edges[i];
    }
    const struct result_statistics seconds = result_statistics(inverses, result->count);
    const struct result_statistics rates = {
        .minimum = 1 / seconds.maximum,
        .first_quartile = 1 / seconds.third_quartile,
        .median = 1 / seconds.median,
        .third_quartile = 1 / seconds.first_quartile,
        .maximum = 1 / seconds.minimum,
    };
    write_statistics(out, "bfs  ", "_TEPS", 6, &rates);
    fprintf(out, "%-29s!  %g\n", "bfs  harmonic_mean_TEPS:", 1 / seconds.mean);
    write_number(out, "bfs  ", "harmonic_stddev", "_TEPS", 6,
                 result_harmonic_deviation(&seconds, result->count));
}

void graph500_result_write(FILE *out, const struct graph500_result *result)
{
    fprintf(out, "%-32s%u\n", "SCALE:", result->scale);
    fprintf(out, "%-32s%" PRIu64 "\n", "edgefactor:", result->edgefactor);
    fprintf(out, "%-32s%zu\n", "NBFS:", result->count);
    write_number(out, "", "graph_generation", "", 6, result->generation_s);
    fprintf(out, "%-32s%d\n", "num_mpi_processes:", result->ranks);
    write_number(out, "", "construction_time", "", 6, result->construction_s);
    write_values(out, "bfs  ", "_time", 6, result->search_s, result->count);
    write_values(out, "", "_nedge", 11, result->edges, result->count);
    write_rates(out, result);
    write_values(out, "bfs  ", "_validate", 6, result->validate_s, result->count);
    fprintf(out, "%-32s%zu of %zu\n", "bfs  validated:", result->count, result->count);
}
