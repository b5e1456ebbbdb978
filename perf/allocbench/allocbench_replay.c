/*
 * allocbench_replay.c - the experiment "replay": what a workload would take if allocation cost
 * nothing.
 *
 * 1. The workload runs on each allocator, timed (vanilla).
 * 2. It runs on a first-fit heap in one region, every decision recorded; again on the block heap,
 *    whose nodes lie closer.
 * 3. Replay: the same run, every request answered from the script, checked; and unchecked.
 * 4. Overhead of an allocator = (vanilla - replay unchecked) / vanilla; of two unchecked replays
 *    the faster, for it shows that the work itself takes no longer.
 * The runs take turns; the heap of a recording is enlarged until it is enough.
 * Source: PathEngine, "Measure Memory Allocation Cost, by Eliminating It".
 */
#include "allocbench_job.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLAYS 3 /* first-fit checked, first-fit unchecked, block unchecked */

static struct bench_subject *add_subject(struct bench *bench, const char *label,
                                         const char *specification)
{
    struct bench_subject *subject = &bench->subjects[bench->subject_count++];
    snprintf(subject->label, sizeof(subject->label), "%s", label);
    snprintf(subject->specification, sizeof(subject->specification), "%.255s", specification);
    return subject;
}

static void open_tables(struct bench_result *result)
{
    static const char *const columns[][2] = {{"workload", "workload"},
                                             {"allocator", "allocator"},
                                             {"seconds", "seconds"},
                                             {"spread_percent", "+-%"},
                                             {"overhead_percent", "allocation, %"}};
    static const char *const recordings[][2] = {{"workload", "workload"},
                                                {"heap", "recorded on"},
                                                {"operations", "operations"},
                                                {"script_bytes", "script bytes"},
                                                {"bytes_an_operation", "a operation"},
                                                {"heap_mib", "heap MiB"},
                                                {"needed_mib", "needed MiB"},
                                                {"seconds", "seconds, recording"}};
    struct bench_table *table =
        bench_add_table(result, "replay",
                        "Time, and the share of it that is allocation (against the faster "
                        "replay:unchecked)");
    for (size_t i = 0; i < 5; i++) {
        bench_table_column(table, columns[i][0], columns[i][1]);
    }
    table = bench_add_table(result, "replay-recordings", "The recordings");
    for (size_t i = 0; i < 8; i++) {
        bench_table_column(table, recordings[i][0], recordings[i][1]);
    }
}

static void add_recording(struct bench_table *table, const char *workload,
                          const struct bench_recording *recording)
{
    bench_table_text(table, "%s", workload);
    bench_table_text(table, "%s", recording->heap);
    bench_table_number(table, recording->operations, 0);
    bench_table_number(table, recording->script_bytes, 0);
    bench_table_number(table, recording->script_bytes / recording->operations, 2);
    bench_table_number(table, (double)recording->heap_bytes / 1048576, 1);
    bench_table_number(table, recording->heap_needed / 1048576, 1);
    bench_table_number(table, recording->seconds, 4);
}

static void add_rows(const struct bench *bench, const struct bench_samples *samples,
                     const char *workload, size_t vanilla_count, size_t point, struct plot *plot,
                     struct bench_result *result)
{
    struct bench_table *table = &result->tables[0];
    double baseline = NAN;
    for (size_t i = vanilla_count + 1; i < bench->subject_count; i++) { /* the unchecked ones */
        double seconds = bench_samples_summary(samples, i, WORK_SECONDS).median;
        baseline = isnan(baseline) || seconds < baseline ? seconds : baseline;
    }
    for (size_t i = 0; i < bench->subject_count; i++) {
        struct samples_summary summary = bench_samples_summary(samples, i, WORK_SECONDS);
        double overhead = 100 * (summary.median - baseline) / summary.median;
        bench_table_text(table, "%s", workload);
        bench_table_text(table, "%s", bench->subjects[i].label);
        bench_table_number(table, summary.median, 4);
        bench_table_number(table, 100 * summary.spread, 1);
        bench_table_number(table, overhead, 1);
        if (i < vanilla_count && plot != NULL && i < plot->series_count) {
            plot->series[i].values[point] = overhead;
        }
    }
}

/* One workload: record, then everything in turns. False when it could not be recorded. */
static bool one_workload(struct bench *bench, const struct bench_workload *workload,
                         const char *folder, size_t point, struct plot *plot,
                         struct bench_result *result)
{
    struct bench_recording first_fit;
    struct bench_recording block;
    struct bench_samples samples;
    char specification[256];
    size_t vanilla_count = bench->subject_count;
    if (!bench_record(bench, workload, "first-fit:heap=64M", folder, &first_fit, result)) {
        unlink(first_fit.path);
        return false;
    }
    bool has_block =
        bench_record(bench, workload, "block:lock=no,heap=64M", folder, &block, result);
    static const char *const modes[] = {"checked", "unchecked"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(specification, sizeof(specification), "replay:%s,file=%.200s", modes[i],
                 first_fit.path);
        add_subject(bench, i == 0 ? "replay" : "replay:unchecked", specification);
    }
    if (has_block) {
        snprintf(specification, sizeof(specification), "replay:unchecked,file=%.200s", block.path);
        add_subject(bench, "replay:unchecked of block", specification);
    }
    bool measured =
        bench_measure_all(bench, bench_workload_run, workload, WORK_VALUES, &samples, result);
    if (measured) {
        add_rows(bench, &samples, workload->name, vanilla_count, point, plot, result);
        add_recording(&result->tables[1], workload->name, &first_fit);
        if (has_block) {
            add_recording(&result->tables[1], workload->name, &block);
        }
        bench_samples_close(&samples);
    }
    bench->subject_count = vanilla_count;
    unlink(first_fit.path);
    unlink(block.path);
    return measured;
}

/* The share of the search that is allocation, in a sentence. */
static void add_verdict(const struct bench_result *result, char *verdict, size_t size)
{
    const struct bench_table *table = &result->tables[0];
    const char *malloc_share = NULL;
    const char *pool_share = NULL;
    const char *slab_share = NULL;
    for (size_t row = 0; row < bench_table_rows(table); row++) {
        const char *allocator = bench_table_cell(table, row, 1);
        const char *share = bench_table_cell(table, row, 4);
        if (strcmp(bench_table_cell(table, row, 0), "bfs") != 0) {
            continue;
        }
        malloc_share = strcmp(allocator, "malloc") == 0 ? share : malloc_share;
        pool_share = strcmp(allocator, "pool") == 0 ? share : pool_share;
        slab_share = strcmp(allocator, "slab") == 0 ? share : slab_share;
    }
    if (malloc_share != NULL && pool_share != NULL && slab_share != NULL) {
        snprintf(
            verdict, size,
            "Of a search on malloc %s %% is allocation, measured by eliminating it; on pool %s "
            "%%, on slab %s %%. A negative share means that the allocator places nodes better "
            "than the recorded heaps do, by more than its own cost. The article measures other "
            "programs; its method is what is repeated here.",
            malloc_share, pool_share, slab_share);
    }
}

static bool is_named(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return strcmp(list, "all") == 0;
}

static bool run_replay(struct bench *bench, struct bench_result *result,
                       struct command_error *error)
{
    static const size_t searches[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct bench_parameters *p = &bench->parameters;
    struct bench_job job = {0};
    struct bench_workload workloads[] = {
        {.name = "bfs", .kind = WORKLOAD_BFS, .job = &job, .searches = searches},
        {.name = "queue", .kind = WORKLOAD_QUEUE, .operations = 4000000},
        {.name = "distributions", .kind = WORKLOAD_DISTRIBUTIONS, .operations = 2000000},
        {.name = "purge", .kind = WORKLOAD_PURGE, .operations = 2000000},
    };
    char folder[200];
    size_t chosen = 0;
    if (bench->subject_count + REPLAYS > BENCH_SUBJECTS_MAX) {
        return command_fail(error, "replay: at most %d allocators", BENCH_SUBJECTS_MAX - REPLAYS);
    }
    for (size_t i = 0; i < 4; i++) {
        chosen += is_named(p->workloads, workloads[i].name);
    }
    if (chosen == 0) {
        return command_fail(error, "--workloads takes bfs, queue, distributions, purge or all");
    }
    if (is_named(p->workloads, "bfs") && !bench_job_open(&job, p, error)) {
        return false;
    }
    uint64_t search_count = p->searches < 10 ? p->searches : 10;
    workloads[0].search_count = search_count < job.pairs.count ? search_count : job.pairs.count;
    if (!bench_script_folder(folder, sizeof(folder), error)) {
        bench_job_close(&job);
        return false;
    }
    open_tables(result);
    struct plot *plot = bench_add_plot(result, PLOT_BARS, "replay", chosen,
                                       "The share of a workload that is allocation");
    for (size_t i = 0; plot != NULL && i < bench->subject_count; i++) {
        plot_add_series(plot, bench->subjects[i].label);
    }
    size_t point = 0;
    for (size_t i = 0; i < 4 && !bench_is_cancelled(); i++) {
        workloads[i].seed = bench->seed;
        if (is_named(p->workloads, workloads[i].name)) {
            if (plot != NULL) {
                plot_label(plot, point, workloads[i].name);
            }
            one_workload(bench, &workloads[i], folder, point++, plot, result);
        }
    }
    if (plot != NULL) {
        snprintf(plot->x_label, sizeof(plot->x_label), "workload");
        snprintf(plot->y_label, sizeof(plot->y_label), "percent of the time, 0 where below it");
        for (size_t i = 0; i < plot->series_count; i++) {
            for (size_t at = 0; at < plot->point_count; at++) {
                plot->series[i].values[at] =
                    plot->series[i].values[at] < 0 ? 0 : plot->series[i].values[at];
            }
        }
    }
    rmdir(folder);
    snprintf(result->about, sizeof(result->about),
             "bfs: the first %zu searches of %s on %s; queue: 4000000 pushes, half popped on the "
             "way; distributions: 2000000 log-normal sizes; purge: 2000000 sizes of 1 to 512, each "
             "block filled; seed %llu; recorded on first-fit and on block, replayed checked and "
             "unchecked",
             workloads[0].search_count, p->pairs, p->graph, (unsigned long long)bench->seed);
    add_verdict(result, result->verdict, sizeof(result->verdict));
    bench_job_close(&job);
    return true;
}

static const struct bench_experiment experiment = {
    .name = "replay",
    .summary = "the share of a workload that is allocation, measured by eliminating it",
    .source = "PathEngine, \"Measure Memory Allocation Cost, by Eliminating It\"",
    .published = "The method, and the layout of its first-fit heap (the allocator first-fit32).",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab,first-fit",
    .default_runs = 5,
    .run = run_replay,
};

const struct bench_experiment *bench_replay(void)
{
    return &experiment;
}
