/*
 * counter_total.c - the sum of the readings of several regions; see counters.h.
 *
 * A region in which others had the counters is estimated: the sum of the other regions is scaled by
 * time. Any other region without a value leaves the total without one. A 0 that was doubted is part
 * of the sum as soon as the event has counted anything.
 */
#include "base/pw_assert.h"
#include "counters.h"

const char *counter_status_name(enum counter_status status)
{
    static const char *const names[] = {"exact",        "scaled",      "simulated",
                                        "not counted",  "not counted", "not supported",
                                        "no permission"};
    pw_assert(status <= COUNTER_NO_PERMISSION);
    return names[status];
}

/* True if a total with it has no value: it is absent, but not because others had the counters. */
static bool is_lost(const struct counter_reading *reading)
{
    return !counter_has_value(reading) && reading->time_enabled_ns == 0;
}

/* A value without what was added for the regions in which it did not run. */
static double unskipped(const struct counter_reading *reading)
{
    return reading->time_skipped_ns == 0
               ? reading->value
               : reading->value * ((double)(reading->time_enabled_ns - reading->time_skipped_ns) /
                                   (double)reading->time_enabled_ns);
}

void counter_reading_add(struct counter_reading *total, const struct counter_reading *part,
                         size_t regions)
{
    if (regions > 0 && is_lost(total)) {
        return;
    }
    if (regions == 0 || is_lost(part)) {
        *total = *part;
        return;
    }
    const struct counter_reading before = *total;
    const struct counter_reading *worse = part->status >= before.status ? part : &before;
    const struct counter_reading *better = worse == part ? &before : part;
    /* A part without a value was skipped here, or is a 0 that is believed now. */
    const struct counter_reading *decides = counter_has_value(worse)    ? worse
                                            : counter_has_value(better) ? better
                                                                        : worse;
    total->status = decides->status;
    total->why = decides->why;
    total->value = unskipped(&before) + unskipped(part);
    total->time_enabled_ns += part->time_enabled_ns;
    total->time_running_ns += part->time_running_ns;
    total->time_skipped_ns += part->time_skipped_ns;
    if (counter_has_value(total) && total->time_skipped_ns > 0) {
        total->status = COUNTER_SCALED;
        total->value *= (double)total->time_enabled_ns /
                        (double)(total->time_enabled_ns - total->time_skipped_ns);
    }
    total->running = total->time_enabled_ns == 0
                         ? total->running
                         : (double)total->time_running_ns / (double)total->time_enabled_ns;
    pw_assert(total->time_running_ns + total->time_skipped_ns <= total->time_enabled_ns);
}
