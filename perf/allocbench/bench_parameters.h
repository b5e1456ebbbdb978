/*
 * bench_parameters.h - the parameters that the options of allocbench set and its experiments read.
 */
#pragma once

#include "perf/traffic/ring_traffic.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_COUNTS_MAX  8
#define BENCH_THREADS_MAX 64
#define BENCH_RUNS_MAX    99

/* sizes, exhaustion, worst-case */
struct fill_parameters {
    uint64_t counts[BENCH_COUNTS_MAX]; /* how often each of them is repeated */
    size_t count_count;
};

struct purge_parameters {
    uint64_t allocations;
    uint64_t interval;        /* requests between two purges */
    double share;             /* of the live blocks that a purge frees */
    uint64_t batch, pause_us; /* requests between two pauses */
};

struct distributions_parameters {
    uint64_t rounds; /* M */
    enum ring_touch touch;
    const char *sizes_file; /* sizes recorded from a workload; NULL: none */
};

struct estimate_parameters {
    const char *histogram;
    uint64_t count; /* allocations; 0: as many as the histogram has */
};

/* queue, ageing */
struct queue_parameters {
    uint64_t depth, length;
    uint64_t repeats; /* in one process */
};

/* replay, pointer-wars */
struct job_parameters {
    const char *graph; /* file or generate:... */
    const char *pairs; /* file or random:... */
    uint64_t searches; /* pointer-wars: of the pairs; replay: how many */
};

struct replay_parameters {
    const char *workloads; /* a list */
};

/* record, program, trace */
struct program_parameters {
    char **command;    /* ended by NULL; NULL: none was given */
    const char *only;  /* the program of a process tree that is meant; NULL: the command itself */
    const char *input; /* standard input of the command; NULL: empty */
    bool no_replay, sites;
    const char *trace;  /* the file; NULL: none was given */
    const char *second; /* of trace: to be set beside it; NULL: none was given */
};

/* What the command line sets; each experiment reads its own. */
struct bench_parameters {
    struct fill_parameters fill;
    struct purge_parameters purge;
    struct distributions_parameters distributions;
    struct estimate_parameters estimate;
    struct queue_parameters queue;
    struct job_parameters job;
    struct replay_parameters replay;
    struct program_parameters program;
};
