/*
 * allocbench_program.h - what the files of the experiment "program" share.
 */
#pragma once

#include "allocbench.h"
#include "allocbench_recordings.h"

#define AS_IT_IS 0          /* the first case */
#define REPLAYED "replayed" /* the label of the second, unless nothing is replayed */

/* The values of a run. */
enum { PROCESSOR_S, ELAPSED_S, TIMED_VALUES };
enum {
    RESIDENT,
    HELD_MOST,
    HELD_END,
    TIMES_COUNT,
    TIMES,
    HELD = TIMES + LAUNCH_TIMES,
    MEMORY_RUN_VALUES = HELD + LAUNCH_TIMES
};

/* What the runs of a command share. */
struct measured_program {
    struct launch launch;
    struct launch_outcome first; /* as it is */
    struct recording_summary summary;
    struct recording_header header;    /* of the chosen recording */
    char others[BENCH_CASES_MAX][512]; /* the file of a case's malloc library, or "" */
    double interval_s;                 /* between two readings of memory; 0: none */
    bool is_most;                      /* of the time was used by the program that is replayed */
    struct bench_input input;          /* the recorded sizes, for an estimate */
};

/* What a run does other than the first one, as a verb and its object; NULL: nothing. */
const char *bench_program_difference(const struct measured_program *command,
                                     const struct launch_outcome *outcome);

/*
 * Bodies with a struct measured_program, one per thing measured: time (TIMED_VALUES), memory over
 * time (MEMORY_RUN_VALUES), the estimated ns of a request alone.
 */
enum bench_status bench_program_time(const struct bench_run *run, double *values);
enum bench_status bench_program_memory(const struct bench_run *run, double *values);
enum bench_status bench_program_estimate(const struct bench_run *run, double *values);

/* What was measured. */
struct program_samples {
    const struct bench_samples *timed, *estimates, *memory;
};

/* Fill the tables: what allocation costs, what the program asks for, sizes, memory over time. */
void bench_add_program(struct bench *bench, const struct measured_program *command,
                       const struct program_samples *samples);
