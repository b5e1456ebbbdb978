/*
 * allocbench_wars.c - the experiment "pointer-wars": the main job on each allocator.
 *
 * 1. All searches of the pairs, the classic engine: wall time, highest nodes/s, calls of malloc and
 *    free (counted in a run of their own, so that counting costs nothing).
 * 2. Chosen searches (1, 3 and 9): edges examined, time, calls, and what the processor counts.
 * 3. The microbenchmark: 10,000 nodes allocated in a row and freed, warmed, the last of ten rounds.
 * 4. The article's estimate, calls times the microbenchmark, beside the share measured by
 *    eliminating allocation (replay) from the chosen searches.
 * Source: the challenge's article on custom allocators.
 */
#include "alloc/node_front.h"
#include "allocbench_counters.h"
#include "allocbench_job.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "liblist/linked_list.h"
#include "perf/report/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHOSEN       3
#define MICRO_NODES  10000
#define MICRO_ROUNDS 10

static const size_t chosen[CHOSEN] = {0, 2, 8}; /* searches 1, 3 and 9 */

/* The values of a run: in all, then for each chosen search. */
enum { ALL_SECONDS, HIGHEST_RATE, ALL_PUSHED, MICRO_TAKE, MICRO_GIVE, ALL_VALUES };
enum { ONE_PUSHED, ONE_VISITED, ONE_SECONDS, ONE_METRICS }; /* then the counters' values */
#define ONE_VALUES (ONE_METRICS + BENCH_COUNTER_VALUES)
#define VALUES     (ALL_VALUES + CHOSEN * ONE_VALUES)

struct wars {
    const struct bench_job *job;
    size_t searches;
    const char *counters; /* metrics.h */
};

/* Nanoseconds a request and a release of a node, the way the list makes them. */
static void microbenchmark(const char *specification, double *take_ns, double *give_ns)
{
    static void *nodes[MICRO_NODES];
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    const size_t size = sizeof(struct node);
    if (heap == NULL || !node_heap_open(heap, specification, &bench_source, &error)) {
        free(heap);
        return;
    }
    struct node_allocator *allocator = heap->allocator;
    struct node_front *front = node_allocator_front(allocator, size);
    for (int round = 0; round < MICRO_ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (size_t i = 0; i < MICRO_NODES; i++) {
            void *node = front != NULL ? node_front_take(front) : NULL;
            nodes[i] = node != NULL ? node : node_allocator_allocate(allocator, size);
        }
        uint64_t middle = clock_now_ns();
        for (size_t i = 0; i < MICRO_NODES; i++) {
            if (front == NULL) {
                node_allocator_release(allocator, nodes[i], size);
                continue;
            }
            struct node_page *done = node_front_give(front, nodes[i]);
            if (done != NULL) {
                allocator->type->page_done(allocator, front, done);
            }
        }
        uint64_t end = clock_now_ns();
        *take_ns = (double)(middle - start) / MICRO_NODES;
        *give_ns = (double)(end - middle) / MICRO_NODES;
    }
    node_heap_close(heap);
    free(heap);
}

static enum bench_status measure(const struct bench_run *run, double *values, size_t count)
{
    const struct wars *wars = run->parameters;
    const struct search_engine *engine = search_engine_find("classic");
    (void)count;
    void *workspace = engine->create(&wars->job->graph);
    if (workspace == NULL || !linked_list_set_allocator(run->specification) ||
        !bench_counters_open(wars->counters)) {
        return BENCH_FAILED;
    }
    const struct search_limits limits = {.region = bench_counters_region()};
    size_t next = 0;
    for (size_t i = 0; i < wars->searches; i++) {
        struct search_result result;
        struct pair pair = wars->job->pairs.items[i];
        bool is_chosen = next < CHOSEN && chosen[next] == i;
        engine->search(workspace, pair.source, pair.target, is_chosen ? &limits : NULL, &result);
        if (result.status != SEARCH_DONE) {
            return BENCH_FULL;
        }
        double seconds = (double)result.elapsed_ns / 1e9;
        values[ALL_SECONDS] += seconds;
        values[ALL_PUSHED] += (double)result.pushed;
        values[HIGHEST_RATE] = fmax(values[HIGHEST_RATE], (double)result.visited / seconds);
        if (is_chosen) {
            double *one = values + ALL_VALUES + next++ * ONE_VALUES;
            one[ONE_PUSHED] = (double)result.pushed;
            one[ONE_VISITED] = (double)result.visited;
            one[ONE_SECONDS] = seconds;
            bench_counters_values(result.visited, one + ONE_METRICS);
        }
    }
    microbenchmark(run->specification, &values[MICRO_TAKE], &values[MICRO_GIVE]);
    return BENCH_DONE;
}

/* Counting ------------------------------------------------------------------------------------ */

static uint64_t malloc_calls;
static uint64_t free_calls;

static void *counted_malloc(size_t size)
{
    malloc_calls++;
    return malloc(size);
}

static void counted_free(void *block)
{
    free_calls++;
    free(block);
}

/* values: calls of malloc and free in all, then for each chosen search. */
static enum bench_status measure_calls(const struct bench_run *run, double *values, size_t count)
{
    const struct wars *wars = run->parameters;
    const struct search_engine *engine = search_engine_find("classic");
    (void)count;
    linked_list_register_malloc(counted_malloc);
    linked_list_register_free(counted_free);
    void *workspace = engine->create(&wars->job->graph);
    if (workspace == NULL || !linked_list_set_allocator(run->specification)) {
        return BENCH_FAILED;
    }
    size_t next = 0;
    for (size_t i = 0; i < wars->searches; i++) {
        struct search_result result;
        struct pair pair = wars->job->pairs.items[i];
        uint64_t mallocs = malloc_calls;
        uint64_t frees = free_calls;
        engine->search(workspace, pair.source, pair.target, NULL, &result);
        if (result.status != SEARCH_DONE) {
            return BENCH_FULL;
        }
        values[0] += (double)(malloc_calls - mallocs);
        values[1] += (double)(free_calls - frees);
        if (next < CHOSEN && chosen[next] == i) {
            values[2 + 2 * next] = (double)(malloc_calls - mallocs);
            values[3 + 2 * next++] = (double)(free_calls - frees);
        }
    }
    return BENCH_DONE;
}

/* Tables -------------------------------------------------------------------------------------- */

#define CALL_VALUES (2 + 2 * CHOSEN)

static void add_columns(struct bench_table *table, const char *const (*columns)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bench_table_column(table, columns[i][0], columns[i][1]);
    }
}

static void add_whole_run(const struct bench *bench, const struct bench_samples *samples,
                          double calls[][CALL_VALUES], struct bench_result *result)
{
    static const char *const columns[][2] = {
        {"allocator", "allocator"},       {"wall_seconds", "wall time, s"},
        {"spread_percent", "+-%"},        {"highest_nodes_per_second", "highest nodes/s"},
        {"malloc_calls", "malloc calls"}, {"free_calls", "free calls"},
        {"ns_a_malloc", "ns a malloc"},   {"ns_a_free", "ns a free"}};
    struct bench_table *table =
        bench_add_table(result, "pointer-wars", "The whole run, and one node of 10,000 in a row");
    struct plot *plot = bench_add_plot(result, PLOT_BARS, "pointer-wars", bench->subject_count,
                                       "The searches of the main job, by allocator");
    double *bars = plot != NULL ? plot_add_series(plot, "wall time of all searches") : NULL;
    add_columns(table, columns, 8);
    for (size_t i = 0; i < bench->subject_count; i++) {
        struct samples_summary wall = bench_samples_summary(samples, i, ALL_SECONDS);
        bench_table_text(table, "%s", bench->subjects[i].label);
        bench_table_number(table, wall.median, 3);
        bench_table_number(table, 100 * wall.spread, 1);
        bench_table_number(table, bench_samples_summary(samples, i, HIGHEST_RATE).median, 0);
        bench_table_number(table, calls[i][0], 0);
        bench_table_number(table, calls[i][1], 0);
        bench_table_number(table, bench_samples_summary(samples, i, MICRO_TAKE).median, 2);
        bench_table_number(table, bench_samples_summary(samples, i, MICRO_GIVE).median, 2);
        if (bars != NULL) {
            plot_label(plot, i, bench->subjects[i].label);
            bars[i] = wall.median;
        }
    }
    if (plot != NULL) {
        snprintf(plot->x_label, sizeof(plot->x_label), "allocator");
        snprintf(plot->y_label, sizeof(plot->y_label), "seconds");
    }
}

static void add_chosen(const struct bench *bench, const struct bench_samples *samples,
                       double calls[][CALL_VALUES], size_t chosen_count,
                       struct bench_result *result)
{
    static const char *const columns[][2] = {{"search", "search"},
                                             {"allocator", "allocator"},
                                             {"edges_examined", "edges examined"},
                                             {"nodes_visited", "nodes visited"},
                                             {"seconds", "wall time, s"},
                                             {"malloc_calls", "malloc calls"},
                                             {"free_calls", "free calls"}};
    struct bench_table *table = bench_add_table(result, "pointer-wars-searches", "Chosen searches");
    add_columns(table, columns, 7);
    bench_counters_columns(bench->parameters.counters, table);
    for (size_t s = 0; s < chosen_count; s++) {
        for (size_t i = 0; i < bench->subject_count; i++) {
            size_t at = ALL_VALUES + s * ONE_VALUES;
            bench_table_number(table, (double)chosen[s] + 1, 0);
            bench_table_text(table, "%s", bench->subjects[i].label);
            bench_table_number(table, bench_samples_summary(samples, i, at + ONE_PUSHED).median, 0);
            bench_table_number(table, bench_samples_summary(samples, i, at + ONE_VISITED).median,
                               0);
            bench_table_number(table, bench_samples_summary(samples, i, at + ONE_SECONDS).median,
                               4);
            bench_table_number(table, calls[i][2 + 2 * s], 0);
            bench_table_number(table, calls[i][3 + 2 * s], 0);
            double counted[BENCH_COUNTER_VALUES];
            for (size_t c = 0; c < BENCH_COUNTER_VALUES; c++) {
                counted[c] = bench_samples_summary(samples, i, at + ONE_METRICS + c).median;
            }
            bench_counters_cells(bench->parameters.counters, table, counted);
        }
    }
}

/* The article's estimate beside the share measured by elimination, over the chosen searches. */
static void add_estimate(const struct bench *bench, const struct bench_samples *samples,
                         size_t chosen_count, double replay_seconds, struct bench_result *result)
{
    static const char *const columns[][2] = {
        {"allocator", "allocator"},
        {"seconds", "chosen searches, s"},
        {"estimated_percent", "estimated: nodes x (malloc + free), %"},
        {"eliminated_percent", "measured by elimination, %"}};
    struct bench_table *table = bench_add_table(
        result, "pointer-wars-share", "The share of the chosen searches that is allocation");
    add_columns(table, columns, 4);
    for (size_t i = 0; i < bench->subject_count; i++) {
        double seconds = 0;
        double pushed = 0;
        for (size_t s = 0; s < chosen_count; s++) {
            size_t at = ALL_VALUES + s * ONE_VALUES;
            seconds += bench_samples_summary(samples, i, at + ONE_SECONDS).median;
            pushed += bench_samples_summary(samples, i, at + ONE_PUSHED).median;
        }
        double micro = bench_samples_summary(samples, i, MICRO_TAKE).median +
                       bench_samples_summary(samples, i, MICRO_GIVE).median;
        bench_table_text(table, "%s", bench->subjects[i].label);
        bench_table_number(table, seconds, 4);
        bench_table_number(table, 100 * pushed * micro / 1e9 / seconds, 1);
        bench_table_number(table, 100 * (seconds - replay_seconds) / seconds, 1);
    }
}

/* Seconds of the chosen searches on replay:unchecked; NaN when they cannot be recorded. */
static double eliminate(struct bench *bench, const struct bench_job *job, size_t chosen_count,
                        struct bench_result *result)
{
    struct bench_workload workload = {.name = "bfs",
                                      .kind = WORKLOAD_BFS,
                                      .job = job,
                                      .searches = chosen,
                                      .search_count = chosen_count};
    struct bench_recording recording;
    struct bench_subject subject = {.label = "replay:unchecked"};
    struct command_error error;
    double seconds[BENCH_RUNS_MAX];
    size_t made = 0;
    char folder[200];
    if (!bench_script_folder(folder, sizeof(folder), &error)) {
        return NAN;
    }
    if (bench_record(bench, &workload, "first-fit:heap=64M", folder, &recording, result)) {
        double values[WORK_VALUES];
        snprintf(subject.specification, sizeof(subject.specification),
                 "replay:unchecked,file=%.200s", recording.path);
        for (size_t run = 0; run < bench->runs; run++) {
            if (bench_measure(bench, &subject, bench_workload_run, &workload, values, WORK_VALUES,
                              result) == BENCH_DONE) {
                seconds[made++] = values[WORK_SECONDS];
            }
        }
    }
    unlink(recording.path);
    rmdir(folder);
    return samples_summarize(seconds, made).median;
}

static void count_calls(struct bench *bench, const struct wars *wars, double calls[][CALL_VALUES],
                        struct bench_result *result)
{
    for (size_t i = 0; i < bench->subject_count; i++) {
        bench_progress(bench, "counting calls, %s", bench->subjects[i].label);
        if (bench_is_cancelled() || bench_measure(bench, &bench->subjects[i], measure_calls, wars,
                                                  calls[i], CALL_VALUES, result) != BENCH_DONE) {
            for (size_t value = 0; value < CALL_VALUES; value++) {
                calls[i][value] = NAN;
            }
        }
    }
}

static bool run_wars(struct bench *bench, struct bench_result *result, struct command_error *error)
{
    static double calls[BENCH_SUBJECTS_MAX][CALL_VALUES];
    const struct bench_parameters *p = &bench->parameters;
    struct bench_samples samples;
    struct bench_job job;
    if (!bench_job_open(&job, p, error)) {
        return false;
    }
    struct wars wars = {.job = &job, .searches = job.pairs.count, .counters = p->counters};
    wars.searches = p->searches < wars.searches ? (size_t)p->searches : wars.searches;
    size_t chosen_count = wars.searches > 8 ? 3 : wars.searches > 2 ? 2 : 1;
    char note[400];
    if (!bench_measure_all(bench, measure, &wars, VALUES, &samples, result)) {
        bench_job_close(&job);
        return command_fail(error, "out of memory");
    }
    count_calls(bench, &wars, calls, result);
    double replay_seconds = eliminate(bench, &job, chosen_count, result);
    bench_progress_clear(bench);
    snprintf(result->about, sizeof(result->about),
             "%zu searches (%s) on %s, %u nodes, %llu edges, classic engine; a node's malloc and "
             "free: %d in a row, the last of %d rounds",
             wars.searches, p->pairs, p->graph, graph_node_count(&job.graph),
             (unsigned long long)job.graph.edge_count, MICRO_NODES, MICRO_ROUNDS);
    add_whole_run(bench, &samples, calls, result);
    add_chosen(bench, &samples, calls, chosen_count, result);
    add_estimate(bench, &samples, chosen_count, replay_seconds, result);
    if (bench_counters_footnote(p->counters, note, sizeof(note))[0] != '\0') {
        bench_note(result, "Counters: %s.", note);
    }
    double malloc_s = NAN;
    double pool_s = NAN;
    double malloc_calls_made = NAN;
    double fewer = NAN;
    for (size_t i = 0; i < bench->subject_count; i++) {
        double median = bench_samples_summary(&samples, i, ALL_SECONDS).median;
        malloc_s = strcmp(bench->subjects[i].label, "malloc") == 0 ? median : malloc_s;
        pool_s = strcmp(bench->subjects[i].label, "pool") == 0 ? median : pool_s;
        malloc_calls_made =
            strcmp(bench->subjects[i].label, "malloc") == 0 ? calls[i][0] : malloc_calls_made;
        fewer =
            strcmp(bench->subjects[i].label, "pool") == 0 ? malloc_calls_made / calls[i][0] : fewer;
    }
    if (!isnan(malloc_s) && !isnan(pool_s)) {
        snprintf(result->verdict, sizeof(result->verdict),
                 "The pool takes %.2f of malloc's time and, as in the article, calls malloc only "
                 "for the deepest queue and twice a search (%.0f times fewer; published 97); the "
                 "gain in time %s. The estimate from the microbenchmark and the measured share "
                 "differ, because "
                 "what an allocator does to the caches is in the second only.",
                 pool_s / malloc_s, fewer,
                 pool_s < malloc_s ? "agrees in kind" : "does not show here");
    }
    bench_samples_close(&samples);
    bench_job_close(&job);
    return true;
}

static const struct bench_experiment experiment = {
    .name = "pointer-wars",
    .summary = "the main job on each allocator, as the article's tables",
    .source = "the challenge's article on custom allocators",
    .published =
        "Real graph of 2007, 100 searches: 2,038,458,095 malloc calls, and 21,068,515 with "
        "the free list; search 1: 8,164,900 visited, 28,731,879 malloc calls.",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab",
    .default_runs = 3,
    .run = run_wars,
};

const struct bench_experiment *bench_pointer_wars(void)
{
    return &experiment;
}
