/*
 * allocbench_counters.h - what is counted around a search of allocbench: processor events, page
 * faults and context switches. NaN: not known.
 */
#pragma once

#include "bench_table.h"
#include "counters/region_counters.h"

#define BENCH_COUNTER_VALUES (METRICS_MAX + 2)

/*
 * True if a specification (metrics.h) is legal; its names are kept for the columns. False with
 * error set.
 */
bool bench_counters_check(const char *specification, struct command_error *error);

/* Open a specification in the process that measures. False with error set. */
bool bench_counters_open(struct region_counters *counters, const char *specification,
                         struct command_error *error);

/* The counts of the last search, in the order of the columns. */
void bench_counters_values(const struct region_counters *counters, double *values);

/*
 * The columns of these values, for the specification that was checked. Returns the reason for
 * dashes and the remedy, or an empty text.
 */
const char *bench_counters_columns(struct bench_table *table);
