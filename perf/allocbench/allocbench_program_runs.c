/*
 * allocbench_program_runs.c - one run of a command, for each of the things that are measured.
 */
#include "allocbench_program.h"
#include <math.h>
#include <string.h>

/* True if two files of the folder hold the same bytes. */
static bool is_same_file(const struct launch *launch, const char *one, const char *other)
{
    char path[sizeof(launch->folder) + 32];
    char bytes[2][4096];
    size_t length[2];
    FILE *files[2];
    snprintf(path, sizeof(path), "%s/%s", launch->folder, one);
    files[0] = fopen(path, "rb");
    snprintf(path, sizeof(path), "%s/%s", launch->folder, other);
    files[1] = fopen(path, "rb");
    bool is_same = files[0] != NULL && files[1] != NULL;
    do {
        for (size_t i = 0; is_same && i < 2; i++) {
            length[i] = fread(bytes[i], 1, sizeof(bytes[i]), files[i]);
        }
        is_same = is_same && length[0] == length[1] && memcmp(bytes[0], bytes[1], length[0]) == 0;
    } while (is_same && length[0] > 0);
    for (size_t i = 0; i < 2; i++) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
    return is_same;
}

const char *bench_program_difference(const struct measured_program *command,
                                     const struct launch_outcome *outcome)
{
    return outcome->status != command->first.status                ? "ends otherwise"
           : !is_same_file(&command->launch, "output", "expected") ? "prints something else"
                                                                   : NULL;
}

/* Run the command for a case; what came of it. */
static enum bench_status run_case(const struct bench_run *run, struct launch_memory *memory,
                                  struct launch_outcome *outcome)
{
    const struct measured_program *command = run->parameters;
    const bool is_replay = strcmp(run->specification, REPLAYED) == 0;
    struct launch launch = command->launch;
    struct program_control *control = launch.control;
    struct command_error ignored;
    enum launch_kind kind = is_replay ? LAUNCH_PRELOAD : LAUNCH_PLAIN;
    for (size_t i = 0; !is_replay && i < run->bench->case_count; i++) {
        if (i != AS_IT_IS && strcmp(run->bench->cases[i].specification, run->specification) == 0) {
            kind = LAUNCH_OTHER;
            if (!launch_set_other(&launch, command->others[i])) {
                return BENCH_FAILED;
            }
        }
    }
    if (!launch_run(&launch, kind, PROGRAM_REPLAY, memory, outcome, &ignored)) {
        return BENCH_FAILED;
    }
    if (kind == LAUNCH_PRELOAD &&
        (control->difference.call > 0 || control->answered != control->requests ||
         control->chosen == 0 || control->place_error != 0)) {
        return BENCH_DIVERGED;
    }
    return bench_program_difference(command, outcome) == NULL ? BENCH_DONE : BENCH_DIFFERENT;
}

enum bench_status bench_program_time(const struct bench_run *run, double *values)
{
    struct launch_outcome outcome;
    const enum bench_status status = run_case(run, NULL, &outcome);
    values[PROCESSOR_S] = outcome.processor_s;
    values[ELAPSED_S] = outcome.elapsed_s;
    return status;
}

enum bench_status bench_program_memory(const struct bench_run *run, double *values)
{
    const struct measured_program *command = run->parameters;
    struct launch_memory memory = {.interval_s = command->interval_s};
    struct launch_outcome outcome;
    const enum bench_status status = run_case(run, &memory, &outcome);
    const struct program_memory *end = &memory.end;
    values[RESIDENT] = values[HELD_MOST] = values[HELD_END] = NAN;
    values[TIMES_COUNT] = (double)memory.count;
    for (size_t i = 0; i < memory.count; i++) {
        values[TIMES + i] = memory.seconds[i];
        values[HELD + i] = fmax(0, memory.bytes[i] - (double)end->others);
        values[HELD_MOST] = fmax(values[HELD_MOST], values[HELD + i]);
    }
    if (end->resident_most > 0) {
        const double files = (double)(end->files + end->others);
        values[RESIDENT] = (double)end->resident_most;
        values[HELD_MOST] = fmax(values[HELD_MOST], values[RESIDENT] - files);
        values[HELD_MOST] = fmax(values[HELD_MOST], (double)end->heap);
        values[HELD_END] = (double)end->heap;
    }
    return status;
}

enum bench_status bench_program_estimate(const struct bench_run *run, double *values)
{
    const struct measured_program *command = run->parameters;
    const bool is_replay = strcmp(run->specification, REPLAYED) == 0;
    struct bench_run loop = *run;
    loop.parameters = &command->input;
    values[0] = 0;
    return is_replay ? BENCH_DONE : bench_run_apart(&loop, bench_ring_cost, values, 1);
}
