/*
 * allocbench_replay.c - the experiment "replay": the time of a workload if allocation cost
 * nothing.
 *
 * 1. The workload runs on each allocator, timed (vanilla).
 * 2. It runs on a first-fit heap in one region, every decision recorded; again on the block heap,
 *    whose nodes lie closer.
 * 3. Replay: the same run, every request answered from the script, checked; and unchecked.
 * 4. Overhead of an allocator = (vanilla - replay unchecked) / vanilla. The faster of the two
 *    unchecked replays counts, because it shows that the work itself takes no longer.
 * The runs take turns; the heap of a recording is enlarged until it is enough.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "allocbench_job.h"
#include "base/macros.h"
#include "published.h"
#include <string.h>

#define REPLAYS 3               /* first-fit checked, first-fit unchecked, block unchecked */
#define NAMED   WORKLOAD_CHOSEN /* workloads with a name of their own */

static void add_case(struct bench *bench, const char *label, const char *mode, const char *path)
{
    struct bench_case *one = &bench->cases[bench->case_count++];
    snprintf(one->label, sizeof(one->label), "%s", label);
    snprintf(one->specification, sizeof(one->specification), "replay:%s,file=%s", mode, path);
}

static void add_recording(struct bench_table *table, const char *workload,
                          const struct bench_recording *recording)
{
    const struct script_header *script = &recording->script;
    double bytes = (double)(script->words * sizeof(uint32_t) + sizeof(*script));
    double operations = (double)script->operations;
    bench_add_text(table, workload);
    bench_add_row(
        table, recording->heap,
        (double[]){operations, bytes, bytes / operations, (double)script->heap_bytes / 1048576,
                   recording->values[WORK_HEAP_NEEDED] / 1048576, recording->values[WORK_SECONDS]});
}

/* A row per case. */
static void add_rows(const struct bench *bench, const struct bench_samples *samples,
                     const char *workload, size_t vanilla_count, struct bench_table *table)
{
    size_t best = vanilla_count + 1;                        /* of the unchecked ones */
    for (size_t i = best + 1; i < bench->case_count; i++) { /* on the block heap, if there is one */
        bool is_better =
            bench_median(samples, i, WORK_SECONDS) < bench_median(samples, best, WORK_SECONDS);
        best = is_better ? i : best;
    }
    double baseline = bench_median(samples, best, WORK_SECONDS);
    double bases[BENCH_RUNS_MAX];
    size_t base_count = bench_values(samples, best, WORK_SECONDS, bases);
    for (size_t i = 0; i < bench->case_count; i++) {
        double values[BENCH_RUNS_MAX];
        size_t count = bench_values(samples, i, WORK_SECONDS, values);
        double spread = bench_share_spread(values, bases, count < base_count ? count : base_count);
        struct samples_summary summary = samples_summarize(values, count);
        bench_add_text(table, workload);
        bench_add_row(table, bench->cases[i].label,
                      (double[]){summary.median, 100 * summary.spread,
                                 100 * (summary.median - baseline) / summary.median, spread});
    }
}

/* One workload: record, then everything in turns. */
static void one_workload(struct bench *bench, enum bench_workload workload,
                         struct bench_table *times, struct bench_table *recordings)
{
    const char *name = bench_workload_names[workload];
    const uint32_t word = workload;
    const struct bench_input input = {.items = &word, .count = 1};
    struct bench_recording first_fit;
    struct bench_recording block = {.path = ""};
    size_t vanilla_count = bench->case_count;
    const char *heap =
        bench->as_published ? "first-fit32:as-published=yes,heap=64M" : "first-fit:heap=64M";
    if (bench_record(bench, workload, heap, &first_fit)) {
        add_case(bench, "replay", "checked", first_fit.path);
        add_case(bench, "replay:unchecked", "unchecked", first_fit.path);
        add_recording(recordings, name, &first_fit);
        if (bench_record(bench, workload, "block:heap=64M", &block)) {
            add_case(bench, "replay:unchecked of block", "unchecked", block.path);
            add_recording(recordings, name, &block);
        }
        add_rows(bench, bench_measure_all(bench, bench_workload_run, &input, WORK_VALUES), name,
                 vanilla_count, times);
    }
    bench->case_count = vanilla_count;
    bench_recording_remove(&first_fit);
    bench_recording_remove(&block);
}

/* Parse the list of workloads. False if it names something else, or nothing. */
static bool choose(const char *list, bool *is_chosen)
{
    bool is_known = false;
    while (*list != '\0') {
        char name[16];
        size_t length = strcspn(list, ",");
        snprintf(name, sizeof(name), "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        is_known = false;
        for (size_t i = 0; i < NAMED; i++) {
            bool is_named = strcmp(name, bench_workload_names[i]) == 0 || strcmp(name, "all") == 0;
            is_chosen[i] |= is_named;
            is_known |= is_named;
        }
        if (!is_known) {
            return false;
        }
    }
    return is_known;
}

static bool run_replay(struct bench *bench)
{
    static const struct bench_column time_columns[] = {{"workload", "workload", BENCH_TEXT},
                                                       {"allocator", "allocator", BENCH_TEXT},
                                                       {"seconds", "seconds", 4},
                                                       BENCH_SPREAD("spread_percent"),
                                                       {"overhead_percent", "allocation, %", 1},
                                                       BENCH_SPREAD_UNIT("overhead_spread")};
    static const struct bench_column columns[] = {{"workload", "workload", BENCH_TEXT},
                                                  {"heap", "recorded on", BENCH_TEXT},
                                                  {"operations", "operations", 0},
                                                  {"script_bytes", "script bytes", 0},
                                                  {"bytes_an_operation", "per operation", 2},
                                                  {"heap_mib", "heap MiB", 1},
                                                  {"needed_mib", "needed MiB", 1},
                                                  {"seconds", "seconds, recording", 4}};
    const struct job_parameters *p = &bench->parameters.job;
    struct bench_job job = {0};
    bool is_chosen[NAMED] = {false};
    if (bench->case_count + REPLAYS > BENCH_CASES_MAX) {
        return command_fail(bench->error, "replay: at most %d allocators",
                            BENCH_CASES_MAX - REPLAYS);
    }
    if (!choose(bench->parameters.replay.workloads, is_chosen)) {
        return command_fail(bench->error,
                            "--workloads takes bfs, queue, distributions, purge or all");
    }
    if (is_chosen[WORKLOAD_BFS] && !bench_job_open(p, &job, bench->error)) {
        return false;
    }
    const size_t searches = bench_job_first(&job, p);
    bench_job_close(&job); /* each run loads it */
    struct bench_table *times =
        bench_add_table(bench, "replay", time_columns, COUNT_OF(time_columns),
                        "Time, and the share of it that is allocation "
                        "(against the faster replay:unchecked)");
    struct bench_table *recordings =
        bench_add_table(bench, "replay-recordings", columns, COUNT_OF(columns), "The recordings");
    for (size_t i = 0; i < NAMED && !bench_is_cancelled(); i++) {
        if (is_chosen[i]) {
            one_workload(bench, (enum bench_workload)i, times, recordings);
        }
    }
    bench_about(bench,
                "bfs: the first %zu searches of %s on %s; queue: %d pushes, half popped on the "
                "way; distributions: %d log-normal sizes; purge: %d sizes of 1 to 512, each block "
                "filled; seed %llu; recorded on first-fit%s and on block, replayed checked and "
                "unchecked",
                searches, p->pairs, p->graph, QUEUE_PUSHES, WORKLOAD_REQUESTS, WORKLOAD_REQUESTS,
                (unsigned long long)bench->seed, bench->as_published ? " as published" : "");
    return true;
}

const struct bench_experiment bench_replay = {
    .name = "replay",
    .summary = "the share of a workload that is allocation, by eliminating it",
    .source = "PathEngine, \"Measure Memory Allocation Cost, by Eliminating It\"",
    .published = PUBLISHED_REPLAY
    ". Its first-fit heap (the allocator first-fit32) loses its lowest block when that is released "
    "(--as-published records on it).",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab,first-fit",
    .default_runs = 5,
    .run = run_replay,
    .bodies = {bench_workload_run},
};
