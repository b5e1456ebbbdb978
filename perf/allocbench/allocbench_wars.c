/*
 * allocbench_wars.c - the experiment "pointer-wars": the main job on each allocator.
 *
 * 1. All searches of the pairs with the engine "classic": wall time, highest nodes/s, calls of
 *    malloc and free (counted in a separate run, so that counting costs nothing).
 * 2. Chosen searches (1, 2, 3 and 9): nodes visited (the article's "edges examined"), pushes, time,
 *    calls, and what the processor counts.
 * 3. The microbenchmark: 10,000 nodes allocated in a row and freed, warmed, the last of ten rounds.
 * 4. The article's estimate, calls times the microbenchmark, beside the measured share: the chosen
 *    searches with allocation eliminated (replay).
 * Source: the challenge's article on custom allocators.
 */
#include "alloc/node_front.h"
#include "alloc/specification.h"
#include "allocbench_job.h"
#include "base/macros.h"
#include "base/report/clock.h"
#include "bfs/run/call_counts.h"
#include "counters/region_counters.h"
#include "liblist/linked_list.h"
#include "published.h"
#include <math.h>
#include <string.h>

#define COUNTED      5
#define MICRO_NODES  10000
#define MICRO_ROUNDS 10

/* What the article counted in a search, by the names of counters/metrics.h. */
static const char *const counted[COUNTED] = {"loads", "l1d_hit_rate", "l2_local_hit_rate",
                                             "branches", "branches_predicted_rate"};

/* The values of a run: in all, then for each chosen search. */
enum {
    ALL_SECONDS,
    HIGHEST_RATE,
    ALL_MALLOCS,
    ALL_FREES,
    MICRO_TAKE, /* nanoseconds per node */
    MICRO_GIVE,
    ALL_VALUES
};
enum { ONE_PUSHED, ONE_VISITED, ONE_SECONDS, ONE_RATE, ONE_MALLOCS, ONE_FREES, ONE_METRICS };
#define ONE_VALUES   (ONE_METRICS + COUNTED)
#define VALUES       (ALL_VALUES + BENCH_CHOSEN * ONE_VALUES)
#define ONE_AT(s, v) (ALL_VALUES + (s)*ONE_VALUES + (v)) /* value v of the chosen search s */

/* The word of a run: the times, or the calls of malloc and free; the times are then meaningless. */
enum { WARS_TIMES, WARS_CALLS };

/* How many searches are made: the first pairs. */
static size_t search_count(const struct bench_job *job, const struct job_parameters *parameters)
{
    return parameters->searches < job->pairs.count ? (size_t)parameters->searches
                                                   : job->pairs.count;
}

static inline void *take_node(struct node_allocator *allocator, struct node_front *front)
{
    if (front == NULL) {
        return node_allocator_allocate(allocator, sizeof(struct node));
    }
    void *node = node_front_take(front, sizeof(struct node));
    return node != NULL ? node : allocator->type->fronts->take(allocator, front);
}

static inline void give_node(struct node_allocator *allocator, struct node_front *front, void *node)
{
    if (front == NULL) {
        node_allocator_release(allocator, node, sizeof(struct node));
        return;
    }
    if (!node_front_give(front, node, sizeof(struct node))) {
        allocator->type->fronts->give(allocator, front, node);
    }
}

/* Nanoseconds per request and per release of a node, called as the list does it; not a number when
 * a request is refused. */
static void microbenchmark(const char *specification, double *take_ns, double *give_ns)
{
    static void *nodes[MICRO_NODES];
    static struct node_heap heap;
    *take_ns = *give_ns = NAN;
    if (!bench_open_heap(&heap, specification, NULL)) {
        return;
    }
    struct node_allocator *allocator = heap.allocator;
    struct node_front own = {.free_list = NULL};
    struct node_front *front =
        node_allocator_open_front(allocator, &own, sizeof(struct node)) ? &own : NULL;
    for (int round = 0; round < MICRO_ROUNDS; round++) {
        uint64_t start = clock_now_ns();
        for (size_t i = 0; i < MICRO_NODES; i++) {
            nodes[i] = take_node(allocator, front);
        }
        uint64_t middle = clock_now_ns();
        size_t taken = 0;
        for (size_t i = 0; i < MICRO_NODES; i++) { /* the nodes that were given, in order */
            nodes[taken] = nodes[i];
            taken += nodes[i] != NULL;
        }
        uint64_t resumed = clock_now_ns();
        for (size_t i = 0; i < taken; i++) {
            give_node(allocator, front, nodes[i]);
        }
        uint64_t end = clock_now_ns();
        if (taken < MICRO_NODES) {
            *take_ns = *give_ns = NAN;
            break;
        }
        *take_ns = (double)(middle - start) / MICRO_NODES;
        *give_ns = (double)(end - resumed) / MICRO_NODES;
    }
    if (front != NULL) {
        allocator->type->fronts->close(allocator, front);
    }
    node_heap_close(&heap);
}

/* The counts of the last search; NaN: not known. */
static void read_counters(const struct region_counters *counters, double values[COUNTED])
{
    const struct region_measures *now = &counters->now;
    for (size_t k = 0; k < COUNTED; k++) {
        values[k] = NAN;
        for (size_t i = 0; i < counters->metrics.count; i++) {
            const struct metric *metric = &counters->metrics.list[i];
            if (strcmp(metric->name, counted[k]) == 0) {
                struct counter_reading reading = metric_value(metric, now->readings, now->visited);
                values[k] = counter_has_value(&reading) ? reading.value : NAN;
            }
        }
    }
}

static enum bench_status measure(const struct bench_run *run, double *values)
{
    static struct region_counters counters;
    const struct search_region region = {region_counters_begin, region_counters_end, &counters};
    const struct search_limits limits = {.region = &region};
    const struct bench_input *input = run->parameters;
    const struct job_parameters *parameters = &run->bench->parameters.job;
    struct bench_job job;
    struct command_error error;
    size_t next = 0; /* of the chosen searches */
    if (!bench_job_open(parameters, &job, &error)) {
        return BENCH_FAILED;
    }
    if (input->items[0] == WARS_CALLS) {
        call_counts_register();
    }
    void *workspace = bench_search_open(&job, run->specification);
    if (workspace == NULL || !region_counters_open(&counters, "pointer-wars", false, &error)) {
        return BENCH_FAILED;
    }
    const size_t count = search_count(&job, parameters);
    for (size_t i = 0; i < count; i++) {
        bool is_chosen = next < BENCH_CHOSEN && bench_chosen[next] == i;
        struct search_result result;
        struct call_counts before = call_counts_now();
        if (is_chosen) {
            region_counters_before(&counters, 0);
        }
        if (!bench_search(&job, workspace, i, is_chosen ? &limits : NULL, &result)) {
            return bench_refused(NULL);
        }
        struct call_counts after = call_counts_now();
        double seconds = (double)result.elapsed_ns / 1e9;
        double mallocs = (double)(after.malloc_calls - before.malloc_calls);
        double frees = (double)(after.free_calls - before.free_calls);
        values[ALL_SECONDS] += seconds;
        values[HIGHEST_RATE] = fmax(values[HIGHEST_RATE], (double)result.visited / seconds);
        values[ALL_MALLOCS] += mallocs;
        values[ALL_FREES] += frees;
        if (is_chosen) {
            double *one = values + ONE_AT(next++, 0);
            one[ONE_PUSHED] = (double)result.pushed;
            one[ONE_VISITED] = (double)result.visited;
            one[ONE_SECONDS] = seconds;
            one[ONE_RATE] = (double)result.visited / seconds;
            one[ONE_MALLOCS] = mallocs;
            one[ONE_FREES] = frees;
            region_counters_after(&counters, result.visited);
            read_counters(&counters, one + ONE_METRICS);
        }
    }
    microbenchmark(run->specification, &values[MICRO_TAKE], &values[MICRO_GIVE]);
    return BENCH_DONE;
}

/* One more run of each case, to count its calls; a library's own are not seen. */
static void count_calls(struct bench *bench, double calls[][VALUES])
{
    const uint32_t word = WARS_CALLS;
    const struct bench_input input = {.items = &word, .count = 1};
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t value = 0; value < VALUES; value++) {
            calls[i][value] = NAN;
        }
        if (node_specification_has(bench->cases[i].specification, NODE_ALLOCATOR_OWN_MALLOC)) {
            bench_note(bench,
                       "%s: its malloc and free calls are not known, because it calls its own.",
                       bench->cases[i].label);
            continue;
        }
        bench_progress(bench, "counting calls, %s", bench->cases[i].label);
        if (!bench_is_cancelled()) {
            bench_measure(bench, &bench->cases[i], measure, &input, calls[i], VALUES);
        }
    }
}

/* Tables --------------------------------------------------------------------------------------- */

static void add_whole_run(struct bench *bench, const struct bench_samples *samples,
                          double calls[][VALUES])
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"wall_seconds", "wall time, s", 3},
        BENCH_SPREAD("spread_percent"),         {"highest_nodes_per_second", "highest nodes/s", 0},
        {"malloc_calls", "malloc calls", 0},    {"free_calls", "free calls", 0},
        {"ns_per_malloc", "ns per malloc", 2},  BENCH_SPREAD("ns_per_malloc_spread_percent"),
        {"ns_per_free", "ns per free", 2},      BENCH_SPREAD("ns_per_free_spread_percent")};
    struct bench_table *table = bench_add_table(bench, "pointer-wars", columns, COUNT_OF(columns),
                                                "The whole run, and one node of 10,000 in a row");
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, bench_summary(samples, i, ALL_SECONDS), 1);
        bench_add_summary(table, bench_summary(samples, i, HIGHEST_RATE), 1);
        bench_add_number(table, calls[i][ALL_MALLOCS]);
        bench_add_number(table, calls[i][ALL_FREES]);
        bench_add_summary(table, bench_summary(samples, i, MICRO_TAKE), 1);
        bench_add_summary(table, bench_summary(samples, i, MICRO_GIVE), 1);
    }
}

static void add_chosen(struct bench *bench, const struct bench_samples *samples,
                       double calls[][VALUES], size_t chosen_count)
{
    static const struct bench_column columns[] = {
        {"search", "search", 0},
        {"allocator", "allocator", BENCH_TEXT},
        {"visited", "visited", 0},
        {"pushed", "pushed", 0},
        {"seconds", "seconds", 6},
        BENCH_SPREAD("spread_percent"),
        {"nodes_per_second", "nodes/s", 0},
        BENCH_SPREAD("rate_spread_percent"),
        {"malloc_calls", "mallocs", 0},
        {"free_calls", "frees", 0},
        {"loads", "loads", 0},
        {"l1d_hit_rate", "L1D hit rate", 4},
        {"l2_local_hit_rate", "L2 local hit rate", 4},
        {"branches", "branches", 0},
        {"branches_predicted_rate", "branches predicted", 4}};
    struct bench_table *table =
        bench_add_table(bench, "pointer-wars-searches", columns, COUNT_OF(columns),
                        "Chosen searches (visited: the article's edges examined)");
    bool has_counters = false;
    for (size_t s = 0; s < chosen_count; s++) {
        for (size_t i = 0; i < bench->case_count; i++) {
            bench_add_number(table, (double)bench_chosen[s] + 1);
            bench_add_text(table, bench->cases[i].label);
            bench_add_summary(table, bench_summary(samples, i, ONE_AT(s, ONE_VISITED)), 1);
            bench_add_summary(table, bench_summary(samples, i, ONE_AT(s, ONE_PUSHED)), 1);
            bench_add_summary(table, bench_summary(samples, i, ONE_AT(s, ONE_SECONDS)), 1);
            bench_add_summary(table, bench_summary(samples, i, ONE_AT(s, ONE_RATE)), 1);
            bench_add_number(table, calls[i][ONE_AT(s, ONE_MALLOCS)]);
            bench_add_number(table, calls[i][ONE_AT(s, ONE_FREES)]);
            for (size_t c = 0; c < COUNTED; c++) {
                const double count = bench_median(samples, i, ONE_AT(s, ONE_METRICS + c));
                bench_add_number(table, count);
                has_counters = has_counters || !isnan(count);
            }
        }
    }
    if (!has_counters) {
        bench_note(bench, "This processor counts nothing here; `bfs --doctor` says why.");
    }
}

/* The article's estimate and the share measured by elimination, over the chosen searches. */
static void add_estimate(struct bench *bench, const struct bench_samples *samples,
                         size_t chosen_count, double replay_seconds)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT},
        {"seconds", "chosen searches, s", 6},
        BENCH_SPREAD("spread_percent"),
        {"estimated_percent", "estimated: nodes x (malloc + free), %", 1},
        BENCH_SPREAD_UNIT("estimated_spread"),
        {"eliminated_percent", "measured by elimination, %", 1},
        BENCH_SPREAD_UNIT("eliminated_spread")};
    struct bench_table *table =
        bench_add_table(bench, "pointer-wars-share", columns, COUNT_OF(columns),
                        "The share of the chosen searches that is allocation");
    for (size_t i = 0; i < bench->case_count; i++) {
        double seconds[BENCH_RUNS_MAX] = {0};
        double replayed[BENCH_RUNS_MAX];
        double estimated[BENCH_RUNS_MAX]; /* percent */
        double pushed = 0;
        double one[BENCH_RUNS_MAX];
        double give[BENCH_RUNS_MAX];
        size_t count = 0;
        for (size_t s = 0; s < chosen_count; s++) {
            count = bench_values(samples, i, ONE_AT(s, ONE_SECONDS), one);
            for (size_t run = 0; run < count; run++) {
                seconds[run] += one[run];
            }
            pushed += bench_median(samples, i, ONE_AT(s, ONE_PUSHED));
        }
        bench_values(samples, i, MICRO_TAKE, one);
        bench_values(samples, i, MICRO_GIVE, give);
        for (size_t run = 0; run < count; run++) {
            replayed[run] = replay_seconds;
            estimated[run] = 100 * pushed * (one[run] + give[run]) / 1e9 / seconds[run];
        }
        const double spread = bench_share_spread(seconds, replayed, count);
        struct samples_summary wall = samples_summarize(seconds, count);
        struct samples_summary estimate = samples_summarize(estimated, count);
        if (estimate.median > 100) {
            estimate.median = estimate.deviation = NAN;
            bench_note(bench,
                       "%s: no estimate: the nodes of the chosen searches would take longer than "
                       "the searches",
                       bench->cases[i].label);
        }
        bench_add_row(table, bench->cases[i].label,
                      (double[]){wall.median, 100 * wall.spread, estimate.median,
                                 estimate.deviation,
                                 100 * (wall.median - replay_seconds) / wall.median, spread});
    }
}

/* Seconds of the chosen searches on replay:unchecked; NaN if they cannot be recorded. */
static double eliminate(struct bench *bench)
{
    const uint32_t word = WORKLOAD_CHOSEN;
    const struct bench_input input = {.items = &word, .count = 1};
    struct bench_recording recording;
    struct bench_case one = {.label = "replay:unchecked"};
    double values[WORK_VALUES];
    double seconds[BENCH_RUNS_MAX];
    size_t made = 0;
    if (bench_record(bench, WORKLOAD_CHOSEN, "first-fit:heap=64M", &recording)) {
        snprintf(one.specification, sizeof(one.specification), "replay:unchecked,file=%s",
                 recording.path);
        for (size_t run = 0; run < bench->runs; run++) {
            if (bench_measure(bench, &one, bench_workload_run, &input, values, WORK_VALUES) ==
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
    static double calls[BENCH_CASES_MAX][VALUES];
    const struct job_parameters *p = &bench->parameters.job;
    struct bench_job job;
    const uint32_t word = WARS_TIMES;
    const struct bench_input input = {.items = &word, .count = 1};
    if (!bench_job_open(p, &job, bench->error)) {
        return false;
    }
    const size_t chosen_count = bench_job_chosen(&job, p);
    const struct bench_samples *samples = bench_measure_all(bench, measure, &input, VALUES);
    count_calls(bench, calls);
    double replay_seconds = eliminate(bench);
    progress_clear(&bench->progress);
    bench_about(bench,
                "%zu searches (%s) on %s, %u nodes, %llu edges, classic engine; a node's "
                "malloc and free: %d in a row, the last of %d rounds",
                search_count(&job, p), p->pairs, p->graph, graph_node_count(&job.graph),
                (unsigned long long)job.graph.edge_count, MICRO_NODES, MICRO_ROUNDS);
    add_whole_run(bench, samples, calls);
    add_chosen(bench, samples, calls, chosen_count);
    add_estimate(bench, samples, chosen_count, replay_seconds);
    bench_job_close(&job);
    return true;
}

const struct bench_experiment bench_pointer_wars = {
    .name = "pointer-wars",
    .summary = "the challenge's searches on each allocator, as in the article's tables",
    .source = "the challenge's article on custom allocators",
    .published = "malloc against a free list, 100 searches: " PUBLISHED_POINTER_WARS,
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab",
    .default_runs = 3,
    .run = run_wars,
    .bodies = {measure, bench_workload_run},
};
