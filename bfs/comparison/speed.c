/*
 * speed.c - see speed.h.
 */
#include "speed.h"
#include "base/pw_assert.h"
#include "base/report/samples.h"
#include <math.h>

/* The probability that k of count runs are below the median. */
static double share_below(size_t count, size_t k)
{
    return exp(lgamma((double)count + 1) - lgamma((double)k + 1) - lgamma((double)(count - k) + 1) -
               (double)count * log(2));
}

struct speed speed_of(const double *base_ns, const double *ns, size_t count, double *scratch)
{
    pw_assert(count > 0);
    for (size_t i = 0; i < count; i++) {
        if (!(base_ns[i] > 0) || !(ns[i] > 0)) {
            return (struct speed){NAN, NAN, NAN, 0};
        }
        scratch[i] = base_ns[i] / ns[i];
    }
    struct samples_summary ratios = samples_summarize(scratch, count); /* sorts them */
    struct speed speed = {ratios.median, ratios.low, ratios.high, 1 - 2 * share_below(count, 0)};
    double outside = share_below(count, 0);
    for (size_t k = 1; 2 * k < count; k++) {
        outside += share_below(count, k);
        if (2 * outside > 1 - SPEED_CONFIDENCE) {
            break;
        }
        speed = (struct speed){ratios.median, scratch[k], scratch[count - 1 - k], 1 - 2 * outside};
    }
    pw_assert(speed.low <= speed.ratio && speed.ratio <= speed.high);
    return speed;
}
