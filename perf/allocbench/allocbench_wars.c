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
#include "base/macros.h"
#include "base/pw_assert.h"
#include "liblist/linked_list.h"
#include "perf/report/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHOSEN       3
#define MICRO_NODES  10000
#define MICRO_ROUNDS 10

static const size_t chosen[CHOSEN] = {0, 2, 8}; /* searches 1, 3 and 9 */

/* The values of a run: in all, then for each chosen search. */
enum { ALL_SECONDS, HIGHEST_RATE, MICRO_TAKE, MICRO_GIVE, ALL_VALUES };
enum { ONE_PUSHED, ONE_VISITED, ONE_SECONDS, ONE_METRICS }; /* then the counters' values */
#define ONE_VALUES (ONE_METRICS + BENCH_COUNTER_VALUES)
#define VALUES     (ALL_VALUES + CHOSEN * ONE_VALUES)

/* One run, in its process. */
struct wars {
    struct bench_searches searches;
    const char *counters; /* metrics.h */
    double *values;
    size_t next;                       /* the chosen search to come */
    uint64_t malloc_calls, free_calls; /* before the search */
};

static bool is_chosen(const struct wars *wars, size_t number)
{
    return wars->next < CHOSEN && chosen[wars->next] == number;
}

/* Nanoseconds per request and per release of a node, the way the list makes them. */
static void microbenchmark(const char *specification, double *take_ns, double *give_ns)
{
    static void *nodes[MICRO_NODES];
    struct node_allocator_error error;
    struct node_heap *heap = bench_open_heap(specification, &error);
    const size_t size = sizeof(struct node);
    if (heap == NULL) {
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

static const struct search_limits *count_chosen(void *context, size_t number)
{
    static struct search_limits limits;
    limits.region = bench_counters_region();
    return is_chosen(context, number) ? &limits : NULL;
}

static void add_search(void *context, size_t number, const struct search_result *result)
{
    struct wars *wars = context;
    double *values = wars->values;
    double seconds = (double)result->elapsed_ns / 1e9;
    values[ALL_SECONDS] += seconds;
    values[HIGHEST_RATE] = fmax(values[HIGHEST_RATE], (double)result->visited / seconds);
    if (is_chosen(wars, number)) {
        double *one = values + ALL_VALUES + wars->next++ * ONE_VALUES;
        one[ONE_PUSHED] = (double)result->pushed;
        one[ONE_VISITED] = (double)result->visited;
        one[ONE_SECONDS] = seconds;
        bench_counters_values(result->visited, one + ONE_METRICS);
    }
}

static enum bench_status measure(const struct bench_run *run, double *values, size_t count)
{
    struct wars wars = *(const struct wars *)run->parameters;
    (void)count;
    wars.values = values;
    wars.searches.before = count_chosen;
    wars.searches.after = add_search;
    wars.searches.context = &wars;
    enum bench_status status = bench_counters_open(wars.counters)
                                   ? bench_search(run->specification, &wars.searches)
                                   : BENCH_FAILED;
    if (status == BENCH_DONE) {
        microbenchmark(run->specification, &values[MICRO_TAKE], &values[MICRO_GIVE]);
    }
    return status;
}

/* Counting ------------------------------------------------------------------------------------ */

#define CALL_VALUES (2 + 2 * CHOSEN) /* malloc and free in all, then of each chosen search */

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

static const struct search_limits *note_calls(void *context, size_t number)
{
    struct wars *wars = context;
    (void)number;
    wars->malloc_calls = malloc_calls;
    wars->free_calls = free_calls;
    return NULL;
}

static void add_calls(void *context, size_t number, const struct search_result *result)
{
    struct wars *wars = context;
    double mallocs = (double)(malloc_calls - wars->malloc_calls);
    double frees = (double)(free_calls - wars->free_calls);
    (void)result;
    wars->values[0] += mallocs;
    wars->values[1] += frees;
    if (is_chosen(wars, number)) {
        wars->next++;
        wars->values[2 * wars->next] = mallocs;
        wars->values[2 * wars->next + 1] = frees;
    }
}

static enum bench_status measure_calls(const struct bench_run *run, double *values, size_t count)
{
    struct wars wars = *(const struct wars *)run->parameters;
    (void)count;
    linked_list_register_malloc(counted_malloc);
    linked_list_register_free(counted_free);
    wars.values = values;
    wars.searches.before = note_calls;
    wars.searches.after = add_calls;
    wars.searches.context = &wars;
    return bench_search(run->specification, &wars.searches);
}

static void count_calls(struct bench *bench, const struct wars *wars, double calls[][CALL_VALUES])
{
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t value = 0; value < CALL_VALUES; value++) {
            calls[i][value] = NAN;
        }
        bench_progress(bench, "counting calls, %s", bench->cases[i].label);
        if (!bench_is_cancelled()) {
            bench_measure(bench, &bench->cases[i], measure_calls, wars, calls[i], CALL_VALUES);
        }
    }
}

/* Tables -------------------------------------------------------------------------------------- */

static void add_whole_run(struct bench *bench, const struct bench_samples *samples,
                          double calls[][CALL_VALUES])
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"wall_seconds", "wall time, s", 3},
        {"spread_percent", "+-%", 1},           {"highest_nodes_per_second", "highest nodes/s", 0},
        {"malloc_calls", "malloc calls", 0},    {"free_calls", "free calls", 0},
        {"ns_a_malloc", "ns per malloc", 2},    {"ns_a_free", "ns per free", 2}};
    struct bench_table *table = bench_add_table(bench, "pointer-wars", columns, COUNT_OF(columns),
                                                "The whole run, and one node of 10,000 in a row");
    for (size_t i = 0; i < bench->case_count; i++) {
        struct samples_summary wall = bench_summary(samples, i, ALL_SECONDS);
        bench_add_row(table, bench->cases[i].label,
                      (double[]){wall.median, 100 * wall.spread,
                                 bench_median(samples, i, HIGHEST_RATE), calls[i][0], calls[i][1],
                                 bench_median(samples, i, MICRO_TAKE),
                                 bench_median(samples, i, MICRO_GIVE)});
    }
}

static void add_chosen(struct bench *bench, const struct bench_samples *samples,
                       double calls[][CALL_VALUES], size_t chosen_count)
{
    enum { FIRST = 5 }; /* cells before those of the counters */
    static const struct bench_column columns[] = {{"search", "search", 0},
                                                  {"allocator", "allocator", BENCH_TEXT},
                                                  {"edges_examined", "edges examined", 0},
                                                  {"nodes_visited", "nodes visited", 0},
                                                  {"seconds", "wall time, s", 4},
                                                  {"malloc_calls", "malloc calls", 0},
                                                  {"free_calls", "free calls", 0}};
    char footnote[400];
    struct bench_table *table = bench_add_table(bench, "pointer-wars-searches", columns,
                                                COUNT_OF(columns), "Chosen searches");
    bench_counters_columns(bench->parameters.counters, table, footnote, sizeof(footnote));
    for (size_t s = 0; s < chosen_count; s++) {
        for (size_t i = 0; i < bench->case_count; i++) {
            size_t at = ALL_VALUES + s * ONE_VALUES;
            double row[FIRST + BENCH_COUNTER_VALUES] = {bench_median(samples, i, at + ONE_PUSHED),
                                                        bench_median(samples, i, at + ONE_VISITED),
                                                        bench_median(samples, i, at + ONE_SECONDS),
                                                        calls[i][2 + 2 * s], calls[i][3 + 2 * s]};
            for (size_t c = 0; c < BENCH_COUNTER_VALUES; c++) {
                row[FIRST + c] = bench_median(samples, i, at + ONE_METRICS + c);
            }
            bench_add_number(table, (double)chosen[s] + 1);
            bench_add_row(table, bench->cases[i].label, row);
        }
    }
    if (footnote[0] != '\0') {
        bench_note(bench, "Counters: %s.", footnote);
    }
}

/* The article's estimate beside the share measured by elimination, over the chosen searches. */
static void add_estimate(struct bench *bench, const struct bench_samples *samples,
                         size_t chosen_count, double replay_seconds)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT},
        {"seconds", "chosen searches, s", 4},
        {"estimated_percent", "estimated: nodes x (malloc + free), %", 1},
        {"eliminated_percent", "measured by elimination, %", 1}};
    struct bench_table *table =
        bench_add_table(bench, "pointer-wars-share", columns, COUNT_OF(columns),
                        "The share of the chosen searches that is allocation");
    for (size_t i = 0; i < bench->case_count; i++) {
        double seconds = 0;
        double pushed = 0;
        for (size_t s = 0; s < chosen_count; s++) {
            seconds += bench_median(samples, i, ALL_VALUES + s * ONE_VALUES + ONE_SECONDS);
            pushed += bench_median(samples, i, ALL_VALUES + s * ONE_VALUES + ONE_PUSHED);
        }
        double micro = bench_median(samples, i, MICRO_TAKE) + bench_median(samples, i, MICRO_GIVE);
        bench_add_row(table, bench->cases[i].label,
                      (double[]){seconds, 100 * pushed * micro / 1e9 / seconds,
                                 100 * (seconds - replay_seconds) / seconds});
    }
}

/* Seconds of the chosen searches on replay:unchecked; NaN when they cannot be recorded. */
static double eliminate(struct bench *bench, const struct bench_job *job, size_t chosen_count)
{
    const struct bench_workload workload = {
        .name = "bfs",
        .kind = WORKLOAD_BFS,
        .searches = {.job = job, .indexes = chosen, .count = chosen_count}};
    struct bench_recording recording;
    struct bench_case one = {.label = "replay:unchecked"};
    double values[WORK_VALUES];
    double seconds[BENCH_RUNS_MAX];
    size_t made = 0;
    if (bench_record(bench, &workload, "first-fit:heap=64M", &recording)) {
        snprintf(one.specification, sizeof(one.specification), "replay:unchecked,file=%s",
                 recording.path);
        for (size_t run = 0; run < bench->runs; run++) {
            if (bench_measure(bench, &one, bench_workload_run, &workload, values, WORK_VALUES) ==
                BENCH_DONE) {
                seconds[made++] = values[WORK_SECONDS];
            }
        }
    }
    bench_recording_remove(&recording);
    return samples_summarize(seconds, made).median;
}

static bool run_wars(struct bench *bench)
{
    static double calls[BENCH_CASES_MAX][CALL_VALUES];
    const struct bench_parameters *p = &bench->parameters;
    struct bench_job job;
    if (!bench_job_open(bench, &job)) {
        return false;
    }
    struct wars wars = {.searches = {.job = &job, .count = job.pairs.count},
                        .counters = p->counters};
    if (p->searches < wars.searches.count) {
        wars.searches.count = (size_t)p->searches;
    }
    size_t chosen_count = 1;
    while (chosen_count < CHOSEN && chosen[chosen_count] < wars.searches.count) {
        chosen_count++;
    }
    const struct bench_samples *samples = bench_measure_all(bench, measure, &wars, VALUES);
    if (samples != NULL) {
        count_calls(bench, &wars, calls);
        double replay_seconds = eliminate(bench, &job, chosen_count);
        progress_clear(&bench->progress);
        bench_about(bench,
                    "%zu searches (%s) on %s, %u nodes, %llu edges, classic engine; a node's "
                    "malloc and free: %d in a row, the last of %d rounds",
                    wars.searches.count, p->pairs, p->graph, graph_node_count(&job.graph),
                    (unsigned long long)job.graph.edge_count, MICRO_NODES, MICRO_ROUNDS);
        add_whole_run(bench, samples, calls);
        add_chosen(bench, samples, calls, chosen_count);
        add_estimate(bench, samples, chosen_count, replay_seconds);
    }
    bench_job_close(&job);
    return samples != NULL;
}

const struct bench_experiment bench_pointer_wars = {
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
