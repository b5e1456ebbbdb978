/*
 * allocbench_program_runs.c - one run of a command, for each of the things that are measured.
 */
#include "allocbench_program.h"
#include "base/macros.h"
#include "base/program/child.h"
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLGRIND_FILE "callgrind."

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

bool bench_program_is_as_first(const struct measured_program *command,
                               const struct launch_outcome *outcome)
{
    return outcome->status == command->first.status &&
           is_same_file(&command->launch, "output", "expected");
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
            const bool is_library = command->others[i][0] != '\0';
            kind = is_library ? LAUNCH_OTHER : LAUNCH_SERVE;
            if (is_library && !launch_set_other(&launch, command->others[i])) {
                return BENCH_FAILED;
            }
        }
    }
    snprintf(control->specification, sizeof(control->specification), "%s", run->specification);
    if (!launch_run(&launch, kind, kind == LAUNCH_SERVE ? PROGRAM_SERVE : PROGRAM_REPLAY, memory,
                    outcome, &ignored)) {
        return BENCH_FAILED;
    }
    if (kind == LAUNCH_SERVE && control->refused > 0) {
        return BENCH_FULL;
    }
    if (kind == LAUNCH_PRELOAD &&
        (control->difference.call > 0 || control->answered != control->requests ||
         control->chosen == 0 || control->place_error != 0)) {
        return BENCH_DIVERGED;
    }
    return bench_program_is_as_first(command, outcome) ? BENCH_DONE : BENCH_DIFFERENT;
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

/* The instructions in a file of Callgrind, without what the library of a replay executes
 * itself: it looks up the answers, and no malloc does that. NaN: not known. */
static double instructions_of(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    double sum = NAN;
    unsigned object = 0, preload = UINT_MAX, id = 0;
    bool is_callee = false; /* the cost of a call, which the functions called have too */
    while (getline(&line, &size, file) >= 0) {
        double count = 0;
        if (sscanf(line, "summary: %lf", &count) == 1) {
            sum = count;
        } else if (sscanf(line, "ob=(%u)", &id) == 1 || sscanf(line, "cob=(%u)", &id) == 1) {
            object = line[0] == 'o' ? id : object;
            preload = strstr(line, "/" PRELOAD_LIBRARY "\n") != NULL ? id : preload;
        } else if (strchr("+-*0123456789", line[0]) != NULL && !is_callee && object == preload &&
                   sscanf(line, "%*s %lf", &count) == 1) {
            sum -= count;
        }
        is_callee = strncmp(line, "calls=", 6) == 0;
    }
    free(line);
    return sum;
}

/* The sum of the instructions in the files that Callgrind has left; NaN: there is none. */
static double read_instructions(const struct launch *launch)
{
    double sum = NAN;
    DIR *folder = opendir(launch->folder);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char path[sizeof(launch->folder) + sizeof(entry->d_name) + 2];
        if (strncmp(entry->d_name, CALLGRIND_FILE, strlen(CALLGRIND_FILE)) != 0) {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s", launch->folder, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            const double count = instructions_of(file);
            sum = isnan(sum) ? count : isnan(count) ? sum : sum + count;
            fclose(file);
        }
        unlink(path);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return sum;
}

enum bench_status bench_program_instructions(const struct bench_run *run, double *values)
{
    const struct measured_program *command = run->parameters;
    static struct measured_program counted;
    static struct child_words words;
    char file[sizeof(command->launch.folder) + 64];
    struct launch_outcome outcome;
    counted = *command;
    snprintf(file, sizeof(file), "--callgrind-out-file=%s/" CALLGRIND_FILE "%%p",
             command->launch.folder);
    char *const before[] = {"valgrind", "-q", "--tool=callgrind", "--trace-children=yes", file};
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        child_words_add(&words, before[i]);
    }
    for (char **word = command->launch.command; *word != NULL; word++) {
        child_words_add(&words, *word);
    }
    counted.launch.command = words.list;
    /* the first process is Valgrind's */
    struct program_control *control = counted.launch.control;
    char only[sizeof(control->only.name)];
    memcpy(only, control->only.name, sizeof(only));
    memcpy(control->only.name, command->header.file, sizeof(only));
    struct bench_run own = *run;
    own.parameters = &counted;
    const enum bench_status status = words.too_many ? BENCH_FAILED : run_case(&own, NULL, &outcome);
    memcpy(control->only.name, only, sizeof(only));
    values[0] = read_instructions(&command->launch);
    return status;
}

enum bench_status bench_program_estimate(const struct bench_run *run, double *values)
{
    const struct measured_program *command = run->parameters;
    const bool is_replay = strcmp(run->specification, REPLAYED) == 0;
    struct bench_run loop = *run;
    loop.parameters = &command->ring;
    values[0] = 0;
    return is_replay ? BENCH_DONE : bench_ring_cost(&loop, values);
}
