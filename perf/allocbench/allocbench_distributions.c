/*
 * allocbench_distributions.c - the experiments "distributions" and "estimate".
 *
 * distributions: 1. M rounds of 100 requests into a ring of 1000 pointers; when it is full, the
 * oldest 100 are freed. 2. Sizes of 4 to 524287 bytes: uniform, exponential, log-normal, or
 * recorded from a workload. 3. The same loop with the allocator "null" is subtracted. 4. In
 * separate runs of at most 200 rounds, every page is touched and the memory held is read now and
 * then (memory_watch.h). Result: microseconds for an allocation and its release; peak
 * fragmentation. estimate: the cost of allocations with a given histogram of sizes. For each bucket
 * the loop above is measured with one size, and weighted with the bucket's share. Source: the
 * article on the cost of allocation in embedded systems.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/report/clock.h"
#include "perf/traffic/memory_watch.h"
#include "perf/traffic/size_source.h"
#include "published.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define HISTOGRAM_SIZES 10000
#define MEMORY_ROUNDS   200

/* values[0]: nanoseconds per allocation and its release. */
static enum bench_status measure(const struct bench_run *run, double *values)
{
    const struct bench_ring *ring = run->parameters;
    static struct node_heap heap;
    static struct node_heap null;
    if (!bench_open_heap(&heap, run->specification, NULL) ||
        !bench_open_heap(&null, "null", NULL)) {
        return BENCH_FAILED;
    }
    uint64_t null_ns = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t start = clock_now_ns();
        ring_traffic_run(null.allocator, ring->sizes, ring->count, ring->touch, true);
        uint64_t elapsed_ns = clock_now_ns() - start;
        null_ns = elapsed_ns < null_ns ? elapsed_ns : null_ns;
    }
    uint64_t start = clock_now_ns();
    if (!ring_traffic_run(heap.allocator, ring->sizes, ring->count, ring->touch, false)) {
        return BENCH_FULL;
    }
    uint64_t elapsed_ns = clock_now_ns() - start;
    values[0] = ((double)elapsed_ns - (double)null_ns) / (double)ring->count;
    node_heap_close(&heap);
    return BENCH_DONE;
}

/* Every round, with the memory held looked at. False when a request failed. */
static bool watch_rounds(const struct bench_ring *ring, struct node_allocator *allocator,
                         struct memory_watch *watch, bool may_fail)
{
    double live = 0;
    for (size_t i = 0; i < ring->count; i++) {
        live += ring->sizes[i];
        live -= i < RING_BLOCKS ? 0 : ring->sizes[i - RING_BLOCKS];
        if ((i + 1) % RING_PER_ROUND != 0) {
            continue;
        }
        if (!ring_traffic_round(allocator, ring->sizes, ring->count, i / RING_PER_ROUND,
                                RING_TOUCH_PAGES, may_fail)) {
            return false;
        }
        if (memory_watch_is_due(watch, i, live)) {
            memory_watch_look(watch, i, live);
        }
    }
    memory_watch_end(watch, live);
    return true;
}

enum bench_status bench_distributions_memory(const struct bench_run *run, double *values)
{
    const struct bench_ring *ring = run->parameters;
    static struct node_heap heap;
    struct memory_watch watch;
    /* first without memory: what this program touches is not the allocator's */
    if (!bench_open_heap(&heap, "null", NULL)) {
        return BENCH_FAILED;
    }
    memory_watch_start(&watch, ring->count, values);
    watch_rounds(ring, heap.allocator, &watch, true);
    node_heap_close(&heap);
    memory_watch_start(&watch, ring->count, values);
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    if (!watch_rounds(ring, heap.allocator, &watch, false)) {
        return BENCH_FULL;
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
        bench_add_column(table, name, BENCH_SPREAD, 1);
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
    struct bench_ring ring = {.count = (size_t)p->rounds * RING_PER_ROUND, .touch = p->touch};
    size_t shown = ring.count < HISTOGRAM_SIZES ? ring.count : HISTOGRAM_SIZES;
    size_t name_count = p->sizes_file != NULL ? 1 : SIZES_DISTRIBUTIONS;
    uint32_t *sizes = bench_map(ring.count * sizeof(*sizes), MAP_PRIVATE);
    if (sizes == NULL) {
        return command_fail(bench->error, "out of memory");
    }
    ring.sizes = sizes;
    for (size_t d = 0; d < name_count; d++) {
        if (p->sizes_file == NULL) {
            names[d] = size_distribution_names[d];
            size_source_fill((enum size_distribution)d, bench->seed, sizes, ring.count);
        } else if (!size_source_load(p->sizes_file, sizes, ring.count, bench->error)) {
            return false;
        }
        size_source_histogram(sizes, shown, histograms[d]);
        samples[d] = bench_measure_all(bench, measure, &ring, 1);
        struct bench_ring shorter = ring;
        shorter.count = ring.count < MEMORY_ROUNDS * RING_PER_ROUND
                            ? ring.count
                            : MEMORY_ROUNDS * RING_PER_ROUND;
        memory[d] = bench_measure_all(bench, bench_distributions_memory, &shorter, MEMORY_VALUES);
    }
    munmap(sizes, ring.count * sizeof(*sizes));
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

/* "size count" per line (or "from,to,count", as distributions writes it); '#' starts a comment. */
static bool load_histogram(const char *path, uint64_t histogram[SIZE_SOURCE_BUCKETS],
                           uint64_t *total, struct command_error *error)
{
    char line[200];
    unsigned long number = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        unsigned long long from = 0;
        unsigned long long to = 0;
        unsigned long long count = 0;
        number++;
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#' || line[0] == 's') {
            continue;
        }
        if (strchr(line, '-') != NULL || /* sscanf would read -1 as 2^64 - 1 */
            (sscanf(line, "%llu,%llu,%llu", &from, &to, &count) != 3 &&
             sscanf(line, "%llu%*[ ,\t]%llu", &from, &count) != 2)) {
            fclose(file);
            line[strcspn(line, "\r\n")] = '\0';
            return command_fail(error, "%s:%lu: expected a size and a count, found \"%s\"", path,
                                number, line);
        }
        size_t bucket = 63 - (size_t)__builtin_clzll(from | 1);
        histogram[bucket < SIZE_SOURCE_BUCKETS ? bucket : SIZE_SOURCE_BUCKETS - 1] += count;
        *total += count;
    }
    fclose(file);
    return *total > 0 || command_fail(error, "%s: holds no count", path);
}

/* The geometric middle of a bucket. */
static uint32_t bucket_size(size_t bucket)
{
    uint32_t size = (uint32_t)(((uint64_t)1 << bucket) * 181 / 128);
    return size > SIZE_SOURCE_MAX ? SIZE_SOURCE_MAX : size;
}

/* The mean cost of an allocation. Its spread is at most this, if all are off in the same way. */
struct estimate {
    double ns, deviation;
};

/* Measure the cost of each bucket, with one size in its middle. */
static void measure_buckets(struct bench *bench, const uint64_t *histogram, uint64_t total,
                            struct estimate *estimates)
{
    static const struct bench_column columns[] = {{"size_from", "size from", 0},
                                                  {"count", "count", 0}};
    static uint32_t sizes[100000];
    const struct bench_ring ring = {.sizes = sizes, .count = COUNT_OF(sizes)};
    struct bench_table *table =
        bench_add_table(bench, "estimate-buckets", columns, COUNT_OF(columns),
                        "Nanoseconds per allocation and its release, by size");
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_column(table, NULL, bench->cases[i].label, 1);
    }
    for (size_t bucket = 0; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
        double count = (double)histogram[bucket];
        if (histogram[bucket] == 0) {
            continue;
        }
        for (size_t i = 0; i < ring.count; i++) {
            sizes[i] = bucket_size(bucket);
        }
        const struct bench_samples *samples = bench_measure_all(bench, measure, &ring, 1);
        bench_add_number(table, (double)((uint64_t)1 << bucket));
        bench_add_number(table, count);
        for (size_t i = 0; i < bench->case_count; i++) {
            struct samples_summary ns = bench_summary(samples, i, 0);
            bench_add_number(table, ns.median);
            estimates[i].ns += ns.median * count / (double)total;
            estimates[i].deviation += ns.deviation * count / (double)total;
        }
    }
}

static bool run_estimate(struct bench *bench)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"ns_each", "ns each", 1},
                                                  {"spread_percent", BENCH_SPREAD, 1},
                                                  {"seconds", "seconds in all", 6}};
    const struct estimate_parameters *p = &bench->parameters.estimate;
    uint64_t histogram[SIZE_SOURCE_BUCKETS] = {0};
    struct estimate estimates[BENCH_CASES_MAX] = {{0}};
    uint64_t total = 0;
    if (p->histogram == NULL) {
        return command_fail(bench->error,
                            "estimate needs --histogram FILE: a size and a count per line");
    }
    if (!load_histogram(p->histogram, histogram, &total, bench->error)) {
        return false;
    }
    measure_buckets(bench, histogram, total, estimates);
    uint64_t count = p->count > 0 ? p->count : total;
    struct bench_table *answer = bench_add_table(bench, "estimate", columns, COUNT_OF(columns),
                                                 "Estimated cost of %llu allocations and releases",
                                                 (unsigned long long)count);
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_row(answer, bench->cases[i].label,
                      (double[]){estimates[i].ns,
                                 100 * estimates[i].deviation / fabs(estimates[i].ns),
                                 estimates[i].ns * (double)count / 1e9});
    }
    bench_about(
        bench,
        "%s: each bucket's cost measured with the loop of \"distributions\" and one size, "
        "weighted with its share; it leaves out the work around the calls in a real program",
        p->histogram);
    return true;
}

const struct bench_experiment bench_distributions = {
    .name = "distributions",
    .summary = "a ring of 1000 blocks with sizes from three distributions",
    .source = "the article on the cost of allocation in embedded systems",
    .published = PUBLISHED_DISTRIBUTIONS,
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,first-fit:heap=1G,slab",
    .default_runs = 5,
    .run = run_distributions,
};

const struct bench_experiment bench_estimate = {
    .name = "estimate",
    .summary = "the cost of allocations with a given histogram of sizes",
    .source = "the article on the cost of allocation in embedded systems",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,slab",
    .default_runs = 3,
    .run = run_estimate,
};
