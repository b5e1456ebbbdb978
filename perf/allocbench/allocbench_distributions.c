/*
 * allocbench_distributions.c - the experiments "distributions" and "estimate".
 *
 * distributions: 1. M rounds of 100 requests into a ring of 1000 pointers; when it is full, the
 * oldest 100 are freed. 2. Sizes of 4 to 524287 bytes: uniform, exponential, log-normal, or
 * recorded from a workload. 3. The same loop with the allocator "null" is subtracted. 4. In
 * separate runs of at most 200 rounds, every page is touched and the memory held is read now and
 * then (memory_watch.h). Result: microseconds for an allocation and its release; peak
 * fragmentation. estimate: the cost of allocations with a given histogram of sizes, after the
 * article's back-of-the-envelope estimate: the same loop, with sizes drawn from the histogram, in
 * turns with the sizes of the distribution, where the histogram is of one. (To
 * measure each size alone and add up was 1.3 to 3.1 times too low: mixed sizes cost more.) Source:
 * the article on the cost of allocation in embedded systems.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/report/clock.h"
#include "perf/traffic/memory_watch.h"
#include "perf/traffic/size_histogram.h"
#include "perf/traffic/size_source.h"
#include "published.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define HISTOGRAM_SIZES 10000
#define MEMORY_ROUNDS   200

enum bench_status bench_ring_cost(const struct bench_run *run, double *values)
{
    const struct bench_input *input = run->parameters;
    const enum ring_touch touch = run->bench->parameters.distributions.touch;
    static struct node_heap heap;
    static struct node_heap null;
    if (!bench_open_heap(&heap, run->specification, NULL) ||
        !bench_open_heap(&null, "null", NULL)) {
        return BENCH_FAILED;
    }
    uint64_t null_ns = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t start = clock_now_ns();
        ring_traffic_run(null.allocator, input->items, input->count, touch, true);
        uint64_t elapsed_ns = clock_now_ns() - start;
        null_ns = elapsed_ns < null_ns ? elapsed_ns : null_ns;
    }
    uint64_t start = clock_now_ns();
    if (!ring_traffic_run(heap.allocator, input->items, input->count, touch, false)) {
        return bench_refused(heap.allocator);
    }
    uint64_t elapsed_ns = clock_now_ns() - start;
    values[0] = ((double)elapsed_ns - (double)null_ns) / (double)input->count;
    node_heap_close(&heap);
    return BENCH_DONE;
}

/* Every round, with the memory held looked at; the watch ends. False when a request failed. */
static bool watch_rounds(const struct bench_input *input, struct node_allocator *allocator,
                         struct memory_watch *watch, bool may_fail)
{
    double live = 0;
    bool done = true;
    for (size_t i = 0; done && i < input->count; i++) {
        live += input->items[i];
        live -= i < RING_BLOCKS ? 0 : input->items[i - RING_BLOCKS];
        if ((i + 1) % RING_PER_ROUND != 0) {
            continue;
        }
        done = ring_traffic_round(allocator, input->items, input->count, i / RING_PER_ROUND,
                                  RING_TOUCH_PAGES, may_fail);
        if (memory_watch_is_due(watch, i, live)) {
            memory_watch_look(watch, i, live);
        }
    }
    memory_watch_end(watch, live);
    return done;
}

static enum bench_status measure_memory(const struct bench_run *run, double *values)
{
    const struct bench_input *input = run->parameters;
    static struct node_heap heap;
    struct memory_watch watch;
    /* first without memory: what this program touches is not the allocator's */
    if (!bench_open_heap(&heap, "null", NULL)) {
        return BENCH_FAILED;
    }
    memory_watch_start(&watch, input->count, values);
    watch_rounds(input, heap.allocator, &watch, true);
    node_heap_close(&heap);
    memory_watch_start(&watch, input->count, values);
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        memory_watch_end(&watch, 0);
        return BENCH_FAILED;
    }
    if (!watch_rounds(input, heap.allocator, &watch, false)) {
        return bench_refused(heap.allocator);
    }
    return memory_watch_is_possible(&watch) ? BENCH_DONE : BENCH_UNSEEN;
}

/* The histogram of the first sizes of each distribution. */
static void add_histogram(struct bench *bench, uint64_t histograms[][SIZE_SOURCE_BUCKETS],
                          const char *const *names, size_t name_count)
{
    static const struct bench_column columns[] = {{"size_from", "size from", 0},
                                                  {"size_to", "to", 0}};
    struct bench_table *table =
        bench_add_table(bench, "distributions-histogram", columns, COUNT_OF(columns),
                        "Histogram of the first %d sizes", HISTOGRAM_SIZES);
    for (size_t d = 0; d < name_count; d++) {
        bench_add_column(table, NULL, names[d], 0);
    }
    for (size_t bucket = 2; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
        bench_add_number(table, (double)((uint64_t)1 << bucket));
        bench_add_number(table, (double)((uint64_t)2 << bucket) - 1);
        for (size_t d = 0; d < name_count; d++) {
            bench_add_number(table, (double)histograms[d][bucket]);
        }
    }
}

static void add_costs(struct bench *bench, const struct bench_samples *const *samples,
                      const char *const *names, size_t name_count)
{
    static const struct bench_column first = {"allocator", "allocator", BENCH_TEXT};
    struct bench_table *table = bench_add_table(bench, "distributions", &first, 1,
                                                "Microseconds per allocation and its release");
    for (size_t d = 0; d < name_count; d++) {
        char name[40];
        snprintf(name, sizeof(name), "%s_us", names[d]);
        bench_add_column(table, name, names[d], 4);
        snprintf(name, sizeof(name), "%s_spread_percent", names[d]);
        bench_add_column(table, name, "+-%", BENCH_PERCENT);
    }
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        for (size_t d = 0; d < name_count; d++) {
            bench_add_summary(table, bench_summary(samples[d], i, 0), 1000);
        }
    }
}

static bool run_distributions(struct bench *bench)
{
    const struct distributions_parameters *p = &bench->parameters.distributions;
    static const char *const touched[] = {"none", "first", "all"};
    const char *names[SIZES_DISTRIBUTIONS] = {"recorded"};
    const struct bench_samples *samples[SIZES_DISTRIBUTIONS] = {NULL};
    const struct bench_samples *memory[SIZES_DISTRIBUTIONS] = {NULL};
    static const char *const memory_tables[] = {"distributions-memory",
                                                "distributions-memory-times"};
    uint64_t histograms[SIZES_DISTRIBUTIONS][SIZE_SOURCE_BUCKETS];
    struct bench_input input = {.count = (size_t)p->rounds * RING_PER_ROUND};
    size_t shown = input.count < HISTOGRAM_SIZES ? input.count : HISTOGRAM_SIZES;
    size_t name_count = p->sizes_file != NULL ? 1 : SIZES_DISTRIBUTIONS;
    uint32_t *sizes = bench_map(input.count * sizeof(*sizes));
    if (sizes == NULL) {
        return command_fail(bench->error, "out of memory");
    }
    input.items = sizes;
    for (size_t d = 0; d < name_count; d++) {
        if (p->sizes_file == NULL) {
            names[d] = size_distribution_names[d];
            size_source_fill((enum size_distribution)d, bench->seed, sizes, input.count);
        } else if (!size_source_load(p->sizes_file, sizes, input.count, bench->error)) {
            return false;
        }
        size_source_histogram(sizes, shown, histograms[d]);
        samples[d] = bench_measure_all(bench, bench_ring_cost, &input, 1);
        struct bench_input shorter = input;
        shorter.count = input.count < MEMORY_ROUNDS * RING_PER_ROUND
                            ? input.count
                            : MEMORY_ROUNDS * RING_PER_ROUND;
        memory[d] = bench_measure_all(bench, measure_memory, &shorter, MEMORY_VALUES);
    }
    munmap(sizes, input.count * sizeof(*sizes));
    bench_about(
        bench,
        "%llu rounds of %d requests into a ring of %d, the oldest %d freed when it is full; "
        "sizes 4 to 524287: uniform, exponential (mean 65536), log-normal (median 92, "
        "sigma 0.6) from xoshiro256**, seed %llu; blocks touched: %s; the loop with a null "
        "allocator subtracted",
        (unsigned long long)p->rounds, RING_PER_ROUND, RING_BLOCKS, RING_PER_ROUND,
        (unsigned long long)bench->seed, touched[p->touch]);
    add_costs(bench, samples, names, name_count);
    bench_add_memory(bench, memory_tables, memory, names, name_count);
    add_histogram(bench, histograms, names, name_count);
    return true;
}

/* Estimate ------------------------------------------------------------------------------------ */

/* A row per allocator: the cost of count requests of a kind. variants: 2 if the distribution
 * itself was measured too. */
static void add_estimates(struct bench *bench, struct bench_table *table, const char *kind,
                          const struct bench_samples *samples, size_t variants, double count)
{
    for (size_t i = 0; i < bench->case_count; i++) {
        struct samples_summary ns = bench_summary(samples, variants * i, 0);
        struct samples_summary measured = {.median = NAN, .spread = NAN};
        if (variants > 1) {
            measured = bench_summary(samples, variants * i + 1, 0);
        }
        bench_add_text(table, kind);
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, ns, 1);
        bench_add_summary(table, measured, 1);
        bench_add_number(table, count);
        ns.median *= count / 1e9; /* the count is exact: a product with the same spread */
        bench_add_summary(table, ns, 1);
    }
}

/* Fill the sizes of a distribution. False: no distribution has this name. */
static bool fill_distribution(const char *name, uint64_t seed, uint32_t *sizes, size_t count)
{
    for (size_t d = 0; d < SIZES_DISTRIBUTIONS; d++) {
        if (strcmp(size_distribution_names[d], name) == 0) {
            size_source_fill((enum size_distribution)d, seed, sizes, count);
            return true;
        }
    }
    return false;
}

/* True if two rows of sizes may be of one distribution, and not only of one name. */
static bool are_alike(const uint32_t *sizes, const uint32_t *others, size_t count)
{
    double sums[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sums[0] += sizes[i];
        sums[1] += others[i];
    }
    return fabs(sums[0] - sums[1]) < sums[1] / 4;
}

/* From a histogram: for each of its kinds, sizes drawn from it, in turns with the sizes of the
 * distribution of that name, if it has such sizes. */
static bool estimate_histogram(struct bench *bench, struct bench_table *table)
{
    const struct estimate_parameters *p = &bench->parameters.estimate;
    const struct distributions_parameters *loop = &bench->parameters.distributions;
    const size_t requests = (size_t)loop->rounds * RING_PER_ROUND;
    struct size_histogram histogram = {.ranges = NULL};
    const size_t bytes = 2 * requests * sizeof(uint32_t);
    uint32_t *sizes = bench_map(bytes);
    bool done = sizes != NULL;
    if (!done) {
        command_fail(bench->error, "out of memory");
    }
    done = done && size_histogram_load(&histogram, p->histogram, bench->error);
    for (size_t kind = 0; done && kind < histogram.kind_count; kind++) {
        const struct bench_input drawn = {sizes, requests};
        const struct bench_input whole = {sizes + requests, requests};
        const void *const both[] = {&drawn, &whole};
        const char *name = histogram.names[kind];
        size_histogram_draw(&histogram, kind, bench->seed, sizes, requests);
        const bool is_known = fill_distribution(name, bench->seed, sizes + requests, requests) &&
                              are_alike(sizes, sizes + requests, requests);
        const size_t variants = is_known ? 2 : 1;
        uint64_t count = p->count > 0 ? p->count : size_histogram_total(&histogram, kind);
        add_estimates(bench, table, name,
                      bench_measure_variants(bench, bench_ring_cost, both, variants, 1), variants,
                      (double)count);
    }
    size_histogram_close(&histogram);
    if (sizes != NULL) {
        munmap(sizes, bytes);
    }
    bench_about(bench,
                "%s: the loop of \"distributions\", %llu rounds, with sizes drawn from the "
                "histogram (xoshiro256**, seed %llu); a program's own work around the calls "
                "is left out",
                p->histogram, (unsigned long long)loop->rounds, (unsigned long long)bench->seed);
    return done;
}

static bool run_estimate(struct bench *bench)
{
    static const struct bench_column columns[] = {{"sizes", "sizes", BENCH_TEXT},
                                                  {"allocator", "allocator", BENCH_TEXT},
                                                  {"ns_each", "ns each", 1},
                                                  BENCH_SPREAD("spread_percent"),
                                                  {"measured_ns", "measured", 1},
                                                  BENCH_SPREAD("measured_spread_percent"),
                                                  {"count", "count", 0},
                                                  {"seconds", "seconds in all", 9},
                                                  BENCH_SPREAD("seconds_spread_percent")};
    if (bench->parameters.estimate.histogram == NULL) {
        return command_fail(bench->error, "estimate needs --histogram FILE, a size and a count per "
                                          "line");
    }
    struct bench_table *table = bench_add_table(bench, "estimate", columns, COUNT_OF(columns),
                                                "Estimated cost of allocations and releases");
    return estimate_histogram(bench, table);
}

const struct bench_experiment bench_distributions = {
    .name = "distributions",
    .summary = "a ring of 1000 blocks with sizes from three distributions",
    .source = "the article on the cost of allocation in embedded systems",
    .published = PUBLISHED_DISTRIBUTIONS,
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,first-fit:heap=1G,slab",
    .default_runs = 5,
    .run = run_distributions,
    .bodies = {bench_ring_cost, measure_memory},
};

const struct bench_experiment bench_estimate = {
    .name = "estimate",
    .summary = "the cost of allocations with a given histogram of sizes",
    .source = "the article on the cost of allocation in embedded systems",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,slab",
    .default_runs = 5,
    .run = run_estimate,
    .bodies = {bench_ring_cost},
};
