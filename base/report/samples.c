/*
 * samples.c - sorts a few numbers, and reads quantiles and intervals off their places.
 */
#include "samples.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdlib.h>

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
