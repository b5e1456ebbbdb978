/*
 * search_limits.c - see search_limits.h.
 */
#include "search_limits.h"
#include "perf/report/clock.h"

uint64_t search_start(const struct search_limits *limits)
{
    if (limits != NULL && limits->region != NULL) {
        limits->region->begin(limits->region->context);
    }
    return clock_now_ns();
}

uint64_t search_stop(const struct search_limits *limits, uint64_t start_ns)
{
    uint64_t elapsed_ns = clock_now_ns() - start_ns;
    if (limits != NULL && limits->region != NULL) {
        limits->region->end(limits->region->context);
    }
    return elapsed_ns;
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
