/*
 * allocbench_counters.h - what is counted around a search of allocbench: processor events, page
 * faults, context switches, and calls of brk and mmap. NaN: not known.
 */
#ifndef PW_ALLOCBENCH_COUNTERS_H
#define PW_ALLOCBENCH_COUNTERS_H

#include "bench_table.h"
#include "bfs/search/search.h"
#include "perf/program/command_line.h"

#define BENCH_COUNTER_METRICS 16
#define BENCH_COUNTER_VALUES  (BENCH_COUNTER_METRICS + 4)

/* Whether a specification (metrics.h) is legal. False with error set. */
bool bench_counters_check(const char *specification, struct command_error *error);

/* Open them in the process that measures; one set per process. False when out of memory. */
bool bench_counters_open(const char *specification);

/* For the limits of a search that is to be counted. */
const struct search_region *bench_counters_region(void);

/* What the last search was counted at, in the order of the columns. */
void bench_counters_values(uint64_t visited, double *values);

/* The columns of those values. footnote: why there are dashes, and what to do; empty where none are
 * to be expected. */
void bench_counters_columns(const char *specification, struct bench_table *table, char *footnote,
                            size_t footnote_size);

#endif
