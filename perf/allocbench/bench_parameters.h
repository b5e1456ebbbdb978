/*
 * bench_parameters.h - what the options of allocbench set and its experiments read.
 */
#pragma once

#include "perf/traffic/ring_traffic.h"
#include <stddef.h>
#include <stdint.h>

#define BENCH_COUNTS_MAX 8
#define BENCH_RUNS_MAX   99

/* Parameters of all experiments; each reads its own. Set by allocbench_options.c. */
struct bench_parameters {
    uint64_t counts[BENCH_COUNTS_MAX]; /* sizes, exhaustion, worst-case: repeat counts */
    size_t count_count;
    uint64_t allocations;         /* purge */
    uint64_t purge_interval;      /* purge: requests between two purges */
    double purge_share;           /* purge: of the live blocks */
    uint64_t batch, pause_us;     /* purge */
    uint64_t rounds;              /* distributions: M */
    enum ring_touch touch;        /* distributions */
    const char *sizes_file;       /* distributions: sizes recorded from a workload; NULL: none */
    const char *histogram;        /* estimate */
    uint64_t estimate_count;      /* estimate */
    uint64_t depth, length;       /* queue */
    uint64_t repeats;             /* ageing, queue: times in one process */
    const char *graph;            /* replay, pointer-wars: file or generate:... */
    const char *pairs;            /* file or random:... */
    uint64_t searches;            /* pointer-wars: of the pairs; replay: how many */
    const char *workloads;        /* replay: list */
    const char *counters;         /* pointer-wars: metrics.h */
    const char *simulation;       /* pointer-wars: cache_geometry.h; NULL: none */
    uint64_t simulation_limit_ns; /* per allocator */
};
