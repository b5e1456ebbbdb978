/*
 * samples.c - sorts a few numbers, and reads quantiles and intervals off their places.
 */
#include "samples.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The quantile at a share, interpolated between the two values beside its place. */
static double at_share(const double *values, size_t count, double share)
{
    pw_assert(count > 0 && share >= 0 && share <= 1);
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < count ? below + 1 : below;
    return values[below] + (place - (double)below) * (values[above] - values[below]);
}

/* Keep the finite values: missing measurements, and ratios to nothing, are no samples. */
static size_t keep_finite(double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i])) {
            values[kept++] = values[i];
        }
    }
    return kept;
}

struct samples_summary samples_summarize(double *values, size_t count)
{
    count = keep_finite(values, count);
    if (count == 0) {
        return (struct samples_summary){NAN, NAN, NAN, NAN, NAN, NAN};
    }
    qsort(values, count, sizeof(*values), compare);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    struct samples_summary summary = {.mean = sum / (double)count,
                                      .median = at_share(values, count, 0.5),
                                      .low = values[0],
                                      .high = values[count - 1]};
    pw_assert(summary.low <= summary.median && summary.median <= summary.high);
    double quartiles = at_share(values, count, 0.75) - at_share(values, count, 0.25);
    pw_assert(quartiles >= 0 || isnan(quartiles));
    summary.deviation = count > 1 ? quartiles / 2 : NAN; /* one value has no spread */
    summary.spread =
        summary.deviation != 0 ? summary.deviation / fabs(summary.median) : summary.deviation;
    return summary;
}

/* Intervals ----------------------------------------------------------------------------------- */

static const struct samples_interval no_interval = {NAN, NAN, NAN, 0};

/* The probability that k of count values are below the median. */
static double share_below(size_t count, size_t k)
{
    return exp(lgamma((double)count + 1) - lgamma((double)k + 1) - lgamma((double)(count - k) + 1) -
               (double)count * log(2));
}

double samples_confidence(size_t count)
{
    return count > 0 ? 1 - 2 * share_below(count, 0) : 0;
}

struct samples_interval samples_interval(double *values, size_t count, double confidence)
{
    count = keep_finite(values, count);
    if (count == 0) {
        return no_interval;
    }
    qsort(values, count, sizeof(*values), compare);
    double outside = share_below(count, 0);
    struct samples_interval found = {at_share(values, count, 0.5), values[0], values[count - 1],
                                     samples_confidence(count)};
    for (size_t k = 1; 2 * k < count; k++) {
        outside += share_below(count, k);
        if (2 * outside > 1 - confidence) {
            break;
        }
        found.low = values[k];
        found.high = values[count - 1 - k];
        found.confidence = 1 - 2 * outside;
    }
    pw_assert(found.low <= found.median && found.median <= found.high);
    return found;
}

struct samples_interval samples_ratio(const double *values, const double *bases, size_t count,
                                      double confidence, double *scratch)
{
    for (size_t i = 0; i < count; i++) {
        scratch[i] = bases[i] != 0 ? values[i] / bases[i] : NAN;
    }
    return samples_interval(scratch, count, confidence);
}

/*
 * How many of the orders of n and m values have u pairs in which the first is smaller, for every u
 * up to n * m: the coefficients of the product of (1 - q^(n + i)) / (1 - q^i) for i up to m. Sums
 * in between wrap around, and the results, below 2^57, are exact all the same.
 */
static void count_orders(uint64_t *ways, size_t n, size_t m)
{
    const size_t most = n * m;
    memset(ways, 0, (most + 1) * sizeof(*ways));
    ways[0] = 1;
    for (size_t i = 1; i <= m; i++) {
        for (size_t u = most; u >= n + i; u--) {
            ways[u] -= ways[u - n - i];
        }
        for (size_t u = i; u <= most; u++) {
            ways[u] += ways[u - i];
        }
    }
}

/* The interval of count sorted ratios; ways: of their orders, count of them and one. */
static struct samples_interval interval_apart(const double *ratios, size_t count,
                                              const uint64_t *ways, double confidence)
{
    double total = 0;
    for (size_t u = 0; u <= count; u++) {
        total += (double)ways[u];
    }
    double outside = (double)ways[0] / total;
    struct samples_interval found = {at_share(ratios, count, 0.5), ratios[0], ratios[count - 1],
                                     1 - 2 * outside};
    for (size_t k = 1; 2 * k < count; k++) {
        outside += (double)ways[k] / total;
        if (2 * outside > 1 - confidence) {
            break;
        }
        found.low = ratios[k];
        found.high = ratios[count - 1 - k];
        found.confidence = 1 - 2 * outside;
    }
    return found;
}

/* Copy the first finite values, at most SAMPLES_APART_MAX. */
static size_t copy_finite(double kept[SAMPLES_APART_MAX], const double *values, size_t count)
{
    size_t kept_count = 0;
    for (size_t i = 0; i < count && kept_count < SAMPLES_APART_MAX; i++) {
        kept[kept_count] = values[i];
        kept_count += isfinite(values[i]) ? 1 : 0;
    }
    return kept_count;
}

struct samples_interval samples_ratio_apart(const double *values, size_t count, const double *bases,
                                            size_t base_count, double confidence)
{
    double above[SAMPLES_APART_MAX], below[SAMPLES_APART_MAX];
    const size_t n = copy_finite(above, values, count);
    const size_t m = copy_finite(below, bases, base_count);
    double *ratios = calloc(n * m + 1, sizeof(*ratios));
    uint64_t *ways = calloc(n * m + 1, sizeof(*ways));
    struct samples_interval found = no_interval;
    bool is_known = ratios != NULL && ways != NULL && n * m > 0;
    for (size_t i = 0; is_known && i < n * m; i++) {
        ratios[i] = above[i / m] / below[i % m];
        is_known = below[i % m] != 0;
    }
    if (is_known) {
        qsort(ratios, n * m, sizeof(*ratios), compare);
        count_orders(ways, n, m);
        found = interval_apart(ratios, n * m, ways, confidence);
    }
    free(ratios);
    free(ways);
    return found;
}
