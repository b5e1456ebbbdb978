/*
 * allocbench_program.c - the experiment "program": what malloc costs in any program.
 *
 * 1. The command runs as it is, and is recorded (perf/program). A system that always randomises
 *    addresses ends the experiment before, a recording of several threads after: nothing could be
 *    replayed.
 * 2. A check runs it again, answers each call from the recording and compares it. A program that
 *    does something else the second time ends the experiment with the first difference.
 * 3. Then the runs that are timed, the cases taking turns: as it is, on the malloc of each library
 *    asked for, and replayed: each request answered from a table, no release doing anything. What a
 *    replay saves is what allocation costs, the misses in the caches included.
 * 4. One more run per case watches the memory.
 * Time is the processor's, of the whole command. Each run must print and end as the first one
 * did; a replay must make the recorded number of requests.
 */
#include "allocbench_program.h"
#include "allocbench_unseen.h"
#include "data/graph/graph_memory.h"
#include "perf/program/trace.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define FRAMES_SHOWN 4
#define RECORDED_MAX 10000000 /* sizes of a recording, at most */

/* Before the timed runs ------------------------------------------------------------------------ */

/* False with the error set: this system cannot replay anything. */
static bool can_replay(const struct measured_program *command, struct bench *bench)
{
    return command->launch.fixes_addresses ||
           command_fail(bench->error,
                        "this system does not let a program run without random addresses, so "
                        "nothing can be replayed; --no-replay compares allocators only, and "
                        "record and trace work");
}

/* Run the command as it is, and keep what it prints. */
static bool run_first(struct measured_program *command, struct bench *bench)
{
    struct launch *launch = &command->launch;
    char from[sizeof(launch->folder) + 32];
    char to[sizeof(launch->folder) + 32];
    char end[100];
    if (!launch_run(launch, LAUNCH_PLAIN, PROGRAM_RECORD, NULL, &command->first, bench->error)) {
        return false;
    }
    if (bench_is_cancelled()) {
        return command_fail(bench->error, "interrupted");
    }
    if (launch_bad_end(&command->first, end) != NULL) {
        return command_fail(bench->error, "%s as it is, without anything before it", end);
    }
    if (WEXITSTATUS(command->first.status) != 0) {
        bench_note(bench, "the command ends with exit status %d",
                   WEXITSTATUS(command->first.status));
    }
    snprintf(from, sizeof(from), "%s/output", launch->folder);
    snprintf(to, sizeof(to), "%s/expected", launch->folder);
    return rename(from, to) == 0 || command_fail(bench->error, "its output is lost");
}

/* The sizes of a recording in the recorded order, from the start again up to whole rounds of the
 * loop of "distributions"; bench_input_close unmaps them. False with error set. */
static bool read_sizes(struct bench_input *input, const char *path, struct command_error *error)
{
    struct trace trace;
    *input = (struct bench_input){.items = NULL};
    uint32_t *sizes = NULL;
    size_t used = 0;
    if (trace_read(&trace, path, error)) {
        const size_t whole = trace.requests < RECORDED_MAX ? (size_t)trace.requests : RECORDED_MAX;
        input->count = (whole + RING_PER_ROUND - 1) / RING_PER_ROUND * RING_PER_ROUND;
        sizes = bench_map(input->count * sizeof(*sizes));
        for (size_t i = 0; sizes != NULL && used < input->count; i = (i + 1) % trace.steps) {
            if (trace.words[2 * i + 1] > 0) { /* a request */
                sizes[used++] = trace.words[2 * i + 1];
            }
        }
        input->items = sizes;
        if (sizes == NULL) {
            command_fail(error, "out of memory");
        }
    }
    trace_close(&trace);
    return input->items != NULL;
}

/* Set the error to why a recording is not whole; false. */
static bool fail_stopped(const struct recording_header *header, struct command_error *error)
{
    char size[32];
    if (header->stopped == RECORDING_NO_ROOM) {
        return command_fail(error,
                            "no replay has a place for a request of %s, which %s makes; "
                            "--no-replay compares allocators only, and record and trace work",
                            memory_text(size, header->unplaced), header->program);
    }
    return command_fail(error, "the recording could not be finished: %s",
                        strerror(header->stopped));
}

/* True if the recorded process used at least half of the command's time; else a share of that time
 * would be of other programs, and a note says so. */
static bool used_most(struct bench *bench, const struct recording *recording, double processor_s)
{
    const struct recording_header *header = &recording->header;
    const double own_s = (double)header->processor_ns / 1e9;
    const bool is_seen = header->has_ended != 0;
    if (!is_seen) {
        bench_note(bench,
                   "no share: the end of %s was not seen. It became another program, which is not "
                   "recorded, or left by a system call of its own.",
                   header->program);
    } else if (own_s < processor_s / 2) {
        bench_note(bench,
                   "no share: %s used %.3g s of the %.3g s of processor time; programs that it "
                   "started used the rest",
                   header->program, own_s, processor_s);
    }
    return is_seen && own_s >= processor_s / 2;
}

/* Keep what is needed of the chosen recording, and write what its replay needs. processor_s: the
 * time of the whole command. */
static bool take_recording(struct measured_program *command, struct bench *bench, const char *only,
                           double processor_s)
{
    struct recordings all;
    struct program_control *control = command->launch.control;
    char unseen[UNSEEN_SIZE];
    bool done = recordings_load(&all, &command->launch, only, bench->error);
    if (done) {
        if (all.meant > 1) { /* later runs have the same one */
            control->only.number = (uint32_t)all.number;
        }
        if (only != NULL && all.meant > 1) {
            bench_note(bench, "%zu programs named %s ran; measured is the one that asks most",
                       all.meant, only);
        }
        const struct recording *recording = &all.list[all.chosen];
        command->summary = all.summaries[all.chosen];
        command->header = recording->header;
        bench_note_others(bench, &all);
        if (unseen_memory(&recording->header, &command->summary, unseen) != UNSEEN_LITTLE) {
            bench_note(bench, "%s", unseen);
        }
        command->is_most = used_most(bench, recording, processor_s);
        control->number = recording->header.number;
        control->pages = recording->header.pages;
        control->bytes = recording->header.bytes;
        if (recording->header.stopped != 0) {
            done = fail_stopped(&recording->header, bench->error);
        } else if (command->summary.requests == 0) {
            done =
                command_fail(bench->error, "%s asks malloc for nothing", command->header.program);
        }
        char path[sizeof(command->launch.folder) + 32];
        snprintf(path, sizeof(path), "%s/%06u.log", command->launch.folder, control->number);
        done = done &&
               recording_write_replay(recording, command->launch.folder, &control->requests,
                                      bench->error) &&
               read_sizes(&command->input, path, bench->error);
    }
    recordings_close(&all);
    return done;
}

/* Run the command recorded. */
static bool run_recorded(struct measured_program *command, struct bench *bench, const char *only)
{
    struct launch_outcome outcome;
    char end[100];
    launch_choose(&command->launch, only);
    if (!launch_run(&command->launch, LAUNCH_PRELOAD, PROGRAM_PLACE, NULL, &outcome,
                    bench->error)) {
        return false;
    }
    if (bench_is_cancelled()) {
        return command_fail(bench->error, "interrupted");
    }
    if (launch_bad_end(&outcome, end) != NULL) {
        return command_fail(bench->error, "%s while it was recorded, not before%s", end,
                            command->launch.control->binds_deep
                                ? ": a library that it opens with RTLD_DEEPBIND releases blocks "
                                  "of a replay by a free of its own"
                                : "");
    }
    if (!take_recording(command, bench, only, outcome.processor_s)) {
        return false;
    }
    const char *difference = bench_program_difference(command, &outcome);
    if (difference == NULL) {
        return true;
    }
    char refused[80] = "";
    if (command->summary.failed > 0) {
        snprintf(refused, sizeof(refused), "; %llu of its requests were refused there",
                 (unsigned long long)command->summary.failed);
    }
    return command_fail(bench->error,
                        "the command %s when it runs again: nothing can be compared%s", difference,
                        refused);
}

/* Set the error to the first call of a check that differs. */
static bool fail_check(const struct measured_program *command, struct bench *bench)
{
    const struct program_control *control = command->launch.control;
    const struct program_difference *difference = &control->difference;
    char callers[500] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < difference->frame_count && i < FRAMES_SHOWN; i++) {
        const char *slash = strrchr(difference->frames[i], '/');
        used += (size_t)snprintf(callers + used, sizeof(callers) - used, "%s%.100s",
                                 i == 0 ? "; called by " : " < ",
                                 slash != NULL ? slash + 1 : difference->frames[i]);
    }
    if (difference->call == 0) {
        return command_fail(
            bench->error, "the command does not repeat itself: it ended after %llu of %llu calls",
            (unsigned long long)control->answered, (unsigned long long)command->header.calls);
    }
    return command_fail(
        bench->error,
        "the command does not repeat itself: call %llu of %llu is %.150s%s. What may "
        "help: PYTHONHASHSEED=0, PERL_HASH_SEED=0, one thread, sorted input; "
        "--no-replay compares allocators only",
        (unsigned long long)difference->call, (unsigned long long)command->header.calls,
        difference->what, callers);
}

/* Run the command checked. False with the error set: it does not repeat itself. */
static bool run_checked(struct measured_program *command, struct bench *bench)
{
    const struct program_control *control = command->launch.control;
    struct launch_outcome outcome;
    if (command->header.threads > 1) {
        return command_fail(bench->error,
                            "%s allocates in %u threads, and a replay needs one; --no-replay "
                            "compares allocators only, and record and trace work",
                            command->header.program, command->header.threads);
    }
    if (!launch_run(&command->launch, LAUNCH_PRELOAD, PROGRAM_CHECK, NULL, &outcome,
                    bench->error)) {
        return false;
    }
    if (bench_is_cancelled()) {
        return command_fail(bench->error, "interrupted");
    }
    if (control->place_error != 0) {
        return command_fail(bench->error, "the places of a replay cannot be mapped: %s",
                            strerror(control->place_error));
    }
    if (control->difference.call > 0 || control->answered != command->header.calls) {
        return fail_check(command, bench);
    }
    const char *difference = bench_program_difference(command, &outcome);
    return difference == NULL ||
           command_fail(bench->error, "the command %s in a replay: no figure is given", difference);
}

/* Cases ---------------------------------------------------------------------------------------- */

/* The file of a library that "lib:NAME" has opened; false: it has no malloc under that name, so
 * that it cannot be put before a program. */
static bool find_file(const char *specification, char file[512])
{
    static struct node_heap heap;
    struct node_allocator_statistics statistics;
    struct link_map *map = NULL;
    if (!bench_open_heap(&heap, specification, NULL)) {
        return false;
    }
    node_allocator_statistics(heap.allocator, &statistics);
    node_heap_close(&heap);
    void *handle = dlopen(statistics.library, RTLD_NOW | RTLD_NOLOAD);
    Dl_info info;
    if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        return false;
    }
    void *theirs = dlsym(handle, "malloc");
    char whole[PATH_MAX];
    const bool is_found = realpath(map->l_name, whole) != NULL && strlen(whole) < 512;
    snprintf(file, 512, "%.511s", is_found ? whole : "");
    const bool is_own = theirs != NULL && dladdr(theirs, &info) != 0 &&
                        (uintptr_t)info.dli_fbase == (uintptr_t)map->l_addr;
    dlclose(handle);
    return is_own && is_found;
}

static void add_case(struct bench *bench, const char *label, const char *specification)
{
    struct bench_case *own = &bench->cases[bench->case_count++];
    snprintf(own->label, sizeof(own->label), "%s", label);
    snprintf(own->specification, sizeof(own->specification), "%s", specification);
}

/* Put the cases in order: as it is, replayed, then the allocators. */
static bool order_cases(struct measured_program *command, struct bench *bench)
{
    struct bench_case given[BENCH_CASES_MAX];
    const size_t count = bench->case_count;
    memcpy(given, bench->cases, sizeof(given));
    bench->case_count = 0;
    add_case(bench, "as it is", "malloc");
    if (!bench->parameters.program.no_replay) {
        add_case(bench, REPLAYED, REPLAYED);
    }
    for (size_t i = 0; i < count; i++) {
        char *file = command->others[bench->case_count];
        if (strcmp(given[i].specification, "malloc") == 0) {
            continue;
        }
        if (bench->case_count == BENCH_CASES_MAX) {
            return command_fail(bench->error, "--alloc: too many allocators");
        }
        if (strncmp(given[i].specification, "lib:", 4) != 0 ||
            !find_file(given[i].specification, file)) {
            bench_note(bench,
                       "%s is left out: it is no library with functions named malloc and free",
                       given[i].label);
            continue;
        }
        bench->cases[bench->case_count++] = given[i];
    }
    return true;
}

/* The experiment ------------------------------------------------------------------------------- */

/* Measure every case, and fill the tables. */
static bool measure(struct bench *bench, struct measured_program *command)
{
    const size_t runs = bench->runs;
    double made[BENCH_RUNS_MAX];
    const struct bench_samples *samples =
        bench_measure_all(bench, bench_program_time, command, TIMED_VALUES);
    const size_t replays = bench->parameters.program.no_replay
                               ? runs
                               : bench_values(samples, AS_IT_IS + 1, PROCESSOR_S, made);
    if (replays < runs && !bench_is_cancelled()) {
        return command_fail(bench->error,
                            "the command does not repeat itself each time: replay %zu of %zu "
                            "differs from the recording, so no figure is given; --no-replay "
                            "compares allocators only",
                            replays + 1, runs);
    }
    const struct bench_samples *estimates =
        bench_measure_all(bench, bench_program_estimate, command, 1);
    command->interval_s = fmax(0.001, command->first.elapsed_s / 100);
    bench->runs = 1;
    const struct bench_samples *memory =
        bench_measure_all(bench, bench_program_memory, command, MEMORY_RUN_VALUES);
    const struct program_samples all = {samples, estimates, memory};
    bench->runs = runs;
    bench_add_program(bench, command, &all);
    return true;
}

static bool run_program(struct bench *bench)
{
    static struct measured_program command;
    const struct program_parameters *p = &bench->parameters.program;
    if (p->command == NULL) {
        bench->failure = EXIT_USAGE;
        return command_fail(bench->error,
                            "program: which command? allocbench program -- sort words.txt");
    }
    command.launch = (struct launch){.command = p->command, .input = p->input};
    if (!launch_open(&command.launch, bench->error)) {
        return false;
    }
    bool done = (p->no_replay || can_replay(&command, bench)) && run_first(&command, bench) &&
                run_recorded(&command, bench, p->only) &&
                (p->no_replay || run_checked(&command, bench)) && order_cases(&command, bench);
    done = done && measure(bench, &command);
    if (done) {
        bench_about(bench,
                    "%s with %llu requests of malloc, in the same environment and with %s "
                    "addresses in each run; processor time of the whole command",
                    command.header.program, (unsigned long long)command.summary.requests,
                    command.launch.fixes_addresses ? "the same" : "random");
    }
    bench_input_close(&command.input);
    launch_close(&command.launch);
    return done;
}

const struct bench_experiment bench_program = {
    .name = "program",
    .summary = "what malloc costs in any program: program [OPTION]... -- COMMAND...",
    .source = "PathEngine, \"Measure Memory Allocation Cost, by Eliminating It\"",
    .allocators = "malloc",
    .default_runs = 9,
    .run = run_program,
    .bodies = {bench_ring_cost},
};
