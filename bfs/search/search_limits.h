/*
 * search_limits.h - the measured region of a search, and when a search must stop.
 */
#pragma once

#include "search.h"

/* A search under way. */
struct search_clock {
    struct search_limits limits;
    uint64_t start_ns;
    uint64_t deadline_ns; /* UINT64_MAX: no deadline */
};

/* Open the measured region, then read the clock. limits may be NULL. result: not found. */
void search_start(struct search_clock *clock, const struct search_limits *limits,
                  struct search_result *result);

/* Read the clock, close the region, and fill in elapsed_ns. The other counts must be complete. */
void search_finish(const struct search_clock *clock, struct search_result *result);

/* The limits for a part of the search under way: its cancel flag, and the deadline of the whole. */
struct search_limits search_limits_of_part(const struct search_clock *clock);

/* Why the search must stop; SEARCH_DONE: it may go on. */
enum search_status search_stop_reason(const struct search_clock *clock);
