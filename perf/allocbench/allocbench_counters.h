/*
 * allocbench_counters.h - what is counted around a search of allocbench: processor events, page
 * faults, context switches, and calls of brk and mmap. NaN: not known.
 */
#pragma once

#include "bench_table.h"
#include "bfs/run/search_counters.h"

#define BENCH_COUNTER_VALUES (METRICS_MAX + 4)

/*
 * Whether a specification (metrics.h) is legal; its names are kept for the columns. False with
 * error set.
 */
bool bench_counters_check(const char *specification, struct command_error *error);

/* Open a specification in the process that measures. False with error set. */
bool bench_counters_open(struct search_counters *counters, const char *specification,
                         struct command_error *error);

/* What the last search was counted at, in the order of the columns. */
void bench_counters_values(const struct search_counters *counters, double *values);

/*
 * The columns of those values, for the specification that was checked. Returns why there are
 * dashes and what to do, or an empty text.
 */
const char *bench_counters_columns(struct bench_table *table);
