/*
 * search_limits.c - see search_limits.h.
 */
#include "search_limits.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"

void search_start(struct search_clock *clock, const struct search_limits *limits,
                  struct search_result *result)
{
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    clock->limits = limits != NULL ? *limits : (struct search_limits){0};
    if (clock->limits.region != NULL) {
        clock->limits.region->begin(clock->limits.region->context);
    }
    const uint64_t timeout_ns = clock->limits.timeout_ns;
    clock->start_ns = clock_now_ns();
    clock->deadline_ns = timeout_ns > 0 && timeout_ns < UINT64_MAX - clock->start_ns
                             ? clock->start_ns + timeout_ns
                             : UINT64_MAX;
    if (clock->limits.deadline_ns > 0 && clock->limits.deadline_ns < clock->deadline_ns) {
        clock->deadline_ns = clock->limits.deadline_ns;
    }
}

void search_finish(const struct search_clock *clock, struct search_result *result)
{
    result->elapsed_ns = clock_now_ns() - clock->start_ns;
    if (clock->limits.region != NULL) {
        clock->limits.region->end(clock->limits.region->context);
    }
    pw_assert(result->found == (result->hops != SEARCH_HOPS_NONE));
    pw_assert(!result->found || (result->status == SEARCH_DONE && result->hops > 0));
    pw_assert(result->expanded <= result->visited + 1);
    pw_assert(result->visited <= result->pushed + 2); /* a failed pop; the two ends */
    pw_assert(result->peak_queue <= result->pushed + 2);
}

struct search_limits search_limits_of_part(const struct search_clock *clock)
{
    return (struct search_limits){.cancel = clock->limits.cancel,
                                  .deadline_ns = clock->deadline_ns};
}

enum search_status search_stop_reason(const struct search_clock *clock)
{
    if (cancel_is_set(clock->limits.cancel)) {
        return SEARCH_CANCELLED;
    }
    return clock->deadline_ns != UINT64_MAX && clock_now_ns() >= clock->deadline_ns
               ? SEARCH_TIMED_OUT
               : SEARCH_DONE;
}
