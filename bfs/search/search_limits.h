/*
 * search_limits.h - the measured region of a search, and when a search must stop.
 */
#ifndef PW_SEARCH_LIMITS_H
#define PW_SEARCH_LIMITS_H

#include "search.h"

/* Open the measured region, then read the clock. limits may be NULL. */
uint64_t search_start(const struct search_limits *limits);

/* Read the clock, close the region, and fill in elapsed_ns. The other counts must be complete. */
void search_finish(const struct search_limits *limits, uint64_t start_ns,
                   struct search_result *result);

/* The clock value at which a search started at start_ns must end; UINT64_MAX: never. */
uint64_t search_deadline_ns(const struct search_limits *limits, uint64_t start_ns);

/* SEARCH_DONE to go on, or why to stop. limits may be NULL. */
enum search_status search_must_stop(const struct search_limits *limits, uint64_t deadline_ns);

#endif
