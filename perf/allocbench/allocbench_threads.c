/*
 * allocbench_threads.c - the experiment "threads": queues and nodes in several threads at once.
 *
 * 1. Patterns, threads and allocators: see thread_traffic.h. The numbers of threads and the
 *    allocators of a pattern take turns, each run in a process that has allocated nothing.
 * 2. Nanoseconds per push and pop: the time of the whole, over the pushes of all threads together.
 * 3. Throughput in units of one thread's: the two runs of each round compared, then the median.
 * 4. Held per live: the memory of the process at the moment when all threads wait, over the nodes
 *    alive then. Below 1 it is no figure; nor after searches, which leave no node.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "thread_traffic.h"
#include <math.h>

enum { NS, HELD_PER_LIVE, VALUES };
enum { WORD_PATTERN, WORD_THREADS, WORDS }; /* the parameters of a run */

_Static_assert(VARIANTS_MAX == BENCH_THREAD_COUNTS_MAX, "a variant per number of threads");

static const char *const names[THREAD_PATTERNS] = {
    [THREADS_OWN_DEEP] = "own, deep",
    [THREADS_OWN_SHALLOW] = "own, 1000 deep",
    [THREADS_CONSUMER] = "producer-consumer",
    [THREADS_RING] = "ring",
    [THREADS_LARSON] = "larson",
    [THREADS_SEARCH] = "search",
};

enum bench_status bench_threads_traffic(const struct bench_run *run, double *values)
{
    static const enum bench_status statuses[] = {
        [THREADS_DONE] = BENCH_DONE,
        [THREADS_FULL] = BENCH_FULL,
        [THREADS_FAILED] = BENCH_FAILED,
        [THREADS_WRONG] = BENCH_WRONG,
        [THREADS_ONE_THREAD] = BENCH_ONE_THREAD,
    };
    const struct bench_ring *words = run->parameters;
    const struct queue_parameters *p = &run->bench->parameters.queue;
    struct thread_figures figures;
    pw_assert(words->count == WORDS && words->sizes[WORD_PATTERN] < THREAD_PATTERNS);
    const enum thread_outcome outcome =
        thread_traffic_run(&(struct thread_traffic){.pattern = words->sizes[WORD_PATTERN],
                                                    .threads = words->sizes[WORD_THREADS],
                                                    .specification = run->specification,
                                                    .depth = p->depth,
                                                    .length = p->length,
                                                    .seed = run->bench->seed},
                           &figures);
    const double held_per_live =
        figures.live_bytes > 0 ? figures.held_bytes / figures.live_bytes : NAN;
    values[NS] = (double)figures.ns / (double)figures.pushes;
    values[HELD_PER_LIVE] = held_per_live >= 1 ? held_per_live : NAN;
    if (outcome == THREADS_FULL && figures.statistics.diverged) {
        return BENCH_DIVERGED;
    }
    return statuses[outcome];
}

/* How many times the throughput of the runs base the runs one have, round by round. */
static struct samples_summary gain(const struct bench_samples *samples, size_t base, size_t one)
{
    double gains[BENCH_RUNS_MAX];
    for (size_t i = 0; i < samples->runs; i++) {
        gains[i] = bench_value(samples, base, i, NS) / bench_value(samples, one, i, NS);
    }
    return samples_summarize(gains, samples->runs);
}

/* The rows of a pattern: for each allocator one per number of threads. */
static void add_rows(struct bench *bench, struct bench_table *table, enum thread_pattern pattern,
                     const struct bench_samples *samples)
{
    static const struct samples_summary unknown = {NAN, NAN, NAN, NAN, NAN, NAN};
    const struct threads_parameters *p = &bench->parameters.threads;
    size_t base = 0; /* the variant of one thread */
    while (base < p->count_count && p->counts[base] != 1) {
        base++;
    }
    for (size_t i = 0; i < bench->case_count; i++) {
        const size_t first = i * p->count_count;
        for (size_t k = 0; k < p->count_count; k++) {
            bench_add_text(table, names[pattern]);
            bench_add_text(table, bench->cases[i].label);
            bench_add_number(table, (double)p->counts[k]);
            bench_add_summary(table, bench_summary(samples, first + k, NS), 1);
            bench_add_summary(
                table, base < p->count_count ? gain(samples, first + base, first + k) : unknown, 1);
            bench_add_summary(table, bench_summary(samples, first + k, HELD_PER_LIVE), 1);
        }
    }
}

static bool run_threads(struct bench *bench)
{
    static const struct bench_column columns[] = {{"pattern", "pattern", BENCH_TEXT},
                                                  {"allocator", "allocator", BENCH_TEXT},
                                                  {"threads", "threads", 0},
                                                  {"ns", "ns", 2},
                                                  BENCH_SPREAD("spread_percent"),
                                                  {"throughput", "times one", 2},
                                                  BENCH_SPREAD("throughput_spread_percent"),
                                                  {"held_per_live", "held per live", 2},
                                                  BENCH_SPREAD("held_per_live_spread_percent")};
    const struct threads_parameters *p = &bench->parameters.threads;
    bench_about(bench,
                "libqueue in several threads; own queues, %llu deep or 1000 deep; queues filled by "
                "one thread and emptied by another; queues handed on in a ring; random blocks "
                "replaced, by one thread after the other; the same searches in each thread, of a "
                "graph of %llu nodes; about %llu pushes per thread and pattern",
                (unsigned long long)bench->parameters.queue.depth,
                (unsigned long long)bench->parameters.queue.depth / 10 + 1,
                (unsigned long long)bench->parameters.queue.length);
    struct bench_table *table = bench_add_table(
        bench, "threads", columns, COUNT_OF(columns),
        "Nanoseconds per push and its pop, and the throughput in units of one thread's");
    for (size_t pattern = 0; pattern < THREAD_PATTERNS && !bench_is_cancelled(); pattern++) {
        uint32_t words[VARIANTS_MAX][WORDS];
        struct bench_ring rings[VARIANTS_MAX];
        const void *variants[VARIANTS_MAX];
        for (size_t k = 0; k < p->count_count; k++) {
            words[k][WORD_PATTERN] = (uint32_t)pattern;
            words[k][WORD_THREADS] = (uint32_t)p->counts[k];
            rings[k] = (struct bench_ring){.sizes = words[k], .count = WORDS};
            variants[k] = &rings[k];
        }
        const struct bench_samples *samples =
            bench_measure_variants(bench, bench_threads_traffic, variants, p->count_count, VALUES);
        add_rows(bench, table, (enum thread_pattern)pattern, samples);
    }
    return true;
}

const struct bench_experiment bench_threads = {
    .name = "threads",
    .summary = "queues in several threads at once: own, handed over, in a ring, in searches",
    .source = "the traffic of the search, and Larson and Krishnan (1998)",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab",
    .default_runs = 5,
    .is_apart = true,
    .run = run_threads,
};
