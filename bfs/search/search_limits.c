/*
 * search_limits.c - see search_limits.h.
 */
#include "search_limits.h"
#include "base/pw_assert.h"
#include "perf/report/clock.h"

uint64_t search_start(const struct search_limits *limits)
{
    if (limits != NULL && limits->region != NULL) {
        limits->region->begin(limits->region->context);
    }
    return clock_now_ns();
}

void search_finish(const struct search_limits *limits, uint64_t start_ns,
                   struct search_result *result)
{
    result->elapsed_ns = clock_now_ns() - start_ns;
    if (limits != NULL && limits->region != NULL) {
        limits->region->end(limits->region->context);
    }
    pw_assert(result->found == (result->hops != SEARCH_HOPS_NONE));
    pw_assert(!result->found || (result->status == SEARCH_DONE && result->hops > 0));
    pw_assert(result->expanded <= result->visited + 1);
    pw_assert(result->visited <= result->pushed + 2); /* a failed pop; the two ends */
    pw_assert(result->peak_queue <= result->pushed + 2);
}

uint64_t search_deadline_ns(const struct search_limits *limits, uint64_t start_ns)
{
    if (limits == NULL || limits->timeout_ns == 0 || limits->timeout_ns > UINT64_MAX - start_ns) {
        return UINT64_MAX;
    }
    return start_ns + limits->timeout_ns;
}

enum search_status search_must_stop(const struct search_limits *limits, uint64_t deadline_ns)
{
    if (limits != NULL && limits->cancel != NULL && *limits->cancel != 0) {
        return SEARCH_CANCELLED;
    }
    return deadline_ns != UINT64_MAX && clock_now_ns() >= deadline_ns ? SEARCH_TIMED_OUT
                                                                      : SEARCH_DONE;
}
