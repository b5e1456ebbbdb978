/*
 * allocbench_distributions.c - the experiments "distributions" and "estimate".
 *
 * distributions: 1. M rounds of 100 requests into a ring of 1000 pointers; when it is full, the
 * oldest 100 are freed. 2. Sizes of 4 to 524287 bytes: uniform, exponential, log-normal, or
 * recorded from a workload. 3. The same loop with the allocator "null" is subtracted. Result:
 * microseconds for an allocation and its release.
 * estimate: what so many allocations with a given histogram of sizes would cost: for each bucket
 * the loop above with one size is measured, and weighted with its share. Source: the article on the
 * cost of allocation in embedded systems.
 */
#include "allocbench.h"
#include "perf/report/clock.h"
#include "ring_traffic.h"
#include "size_source.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HISTOGRAM_SIZES 10000

struct ring_run {
    const uint32_t *sizes; /* shared with the children */
    size_t count;
    enum ring_touch touch;
};

/* values[0]: nanoseconds an allocation and release. */
static enum bench_status measure(const struct bench_run *run, double *values, size_t count)
{
    const struct ring_run *ring = run->parameters;
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    struct node_heap *null = calloc(1, sizeof(*null));
    (void)count;
    if (heap == NULL || null == NULL ||
        !node_heap_open(heap, run->specification, &bench_source, &error) ||
        !node_heap_open(null, "null", &bench_source, &error)) {
        return BENCH_FAILED;
    }
    uint64_t null_ns = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t start = clock_now_ns();
        ring_traffic_run(null->allocator, ring->sizes, ring->count, ring->touch, true);
        uint64_t elapsed_ns = clock_now_ns() - start;
        null_ns = elapsed_ns < null_ns ? elapsed_ns : null_ns;
    }
    uint64_t start = clock_now_ns();
    if (!ring_traffic_run(heap->allocator, ring->sizes, ring->count, ring->touch, false)) {
        return BENCH_FULL;
    }
    uint64_t elapsed_ns = clock_now_ns() - start;
    values[0] = elapsed_ns > null_ns ? (double)(elapsed_ns - null_ns) / (double)ring->count : 0;
    node_heap_close(heap);
    return BENCH_DONE;
}

static uint32_t *map_sizes(size_t count)
{
    void *mapped = mmap(NULL, count * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return mapped == MAP_FAILED ? NULL : mapped;
}

static bool parse_touch(const char *text, enum ring_touch *touch)
{
    static const char *const names[] = {"none", "first", "all"};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *touch = (enum ring_touch)i;
            return true;
        }
    }
    return false;
}

/* The histogram of the first sizes of each distribution. */
static void add_histogram(uint64_t histograms[][SIZE_SOURCE_BUCKETS], const char *const *names,
                          size_t name_count, struct bench_result *result)
{
    struct bench_table *table = bench_add_table(result, "distributions-histogram",
                                                "Histogram of the first %d sizes", HISTOGRAM_SIZES);
    struct plot *plot =
        bench_add_plot(result, PLOT_BARS, "distributions-histogram", SIZE_SOURCE_BUCKETS - 2,
                       "The first %d sizes", HISTOGRAM_SIZES);
    bench_table_column(table, "size_from", "size from");
    bench_table_column(table, "size_to", "to");
    for (size_t d = 0; d < name_count; d++) {
        bench_table_column(table, names[d], names[d]);
        if (plot != NULL) {
            plot_add_series(plot, names[d]);
        }
    }
    for (size_t bucket = 2; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
        char label[32];
        bench_table_number(table, (double)((uint64_t)1 << bucket), 0);
        bench_table_number(table, (double)((uint64_t)2 << bucket) - 1, 0);
        bench_write_bytes(label, sizeof(label), (uint64_t)1 << bucket);
        for (size_t d = 0; d < name_count; d++) {
            bench_table_number(table, (double)histograms[d][bucket], 0);
            if (plot != NULL && bucket - 2 < plot->point_count) {
                plot_label(plot, bucket - 2, label);
                plot->series[d].values[bucket - 2] = (double)histograms[d][bucket];
            }
        }
    }
    if (plot != NULL) {
        snprintf(plot->x_label, sizeof(plot->x_label), "size, from this to twice of it");
        snprintf(plot->y_label, sizeof(plot->y_label), "requests");
    }
}

static void add_costs(const struct bench *bench, const struct bench_samples *samples,
                      const char *const *names, size_t name_count, struct bench_result *result)
{
    struct bench_table *table =
        bench_add_table(result, "distributions", "Microseconds an allocation and its release");
    struct plot *plot = bench_add_plot(result, PLOT_BARS, "distributions", name_count,
                                       "An allocation and its release, by distribution of sizes");
    bench_table_column(table, "allocator", "allocator");
    for (size_t d = 0; d < name_count; d++) {
        char name[40];
        snprintf(name, sizeof(name), "%s_us", names[d]);
        bench_table_column(table, name, names[d]);
        snprintf(name, sizeof(name), "%s_spread_percent", names[d]);
        bench_table_column(table, name, "+-%");
        if (plot != NULL) {
            plot_label(plot, d, names[d]);
        }
    }
    for (size_t i = 0; i < bench->subject_count; i++) {
        double *series = plot != NULL ? plot_add_series(plot, bench->subjects[i].label) : NULL;
        bench_table_text(table, "%s", bench->subjects[i].label);
        for (size_t d = 0; d < name_count; d++) {
            struct samples_summary summary = bench_samples_summary(&samples[d], i, 0);
            bench_table_number(table, summary.median / 1000, 4);
            bench_table_number(table, 100 * summary.spread, 1);
            if (series != NULL) {
                series[d] = summary.median / 1000;
            }
        }
    }
    if (plot != NULL) {
        snprintf(plot->x_label, sizeof(plot->x_label), "distribution of sizes");
        snprintf(plot->y_label, sizeof(plot->y_label), "microseconds");
        plot->y_log = true;
    }
}

/* The lowest and highest median of all, and who is ahead where sizes are skewed. */
static void add_verdict(const struct bench *bench, const struct bench_samples *samples,
                        size_t name_count, struct bench_result *result)
{
    double low = NAN;
    double high = NAN;
    for (size_t d = 0; d < name_count; d++) {
        for (size_t i = 0; i < bench->subject_count; i++) {
            double us = bench_samples_summary(&samples[d], i, 0).median / 1000;
            low = isnan(low) || us < low ? us : low;
            high = isnan(high) || us > high ? us : high;
        }
    }
    if (!isnan(low)) {
        snprintf(result->verdict, sizeof(result->verdict),
                 "From %.3f to %.3f microseconds, published 0.1 to 1: %s. dlmalloc, the article's "
                 "best, takes part when its library is named (lib:./libdlmalloc.so).",
                 low, high,
                 high < 0.1 ? "all below the article's range, on a processor years younger"
                            : "the ranges overlap");
    }
}

static bool run_distributions(struct bench *bench, struct bench_result *result,
                              struct command_error *error)
{
    const struct bench_parameters *p = &bench->parameters;
    const char *names[SIZES_DISTRIBUTIONS];
    struct bench_samples samples[SIZES_DISTRIBUTIONS] = {{0}};
    uint64_t histograms[SIZES_DISTRIBUTIONS][SIZE_SOURCE_BUCKETS];
    struct ring_run ring = {.count = (size_t)p->rounds * RING_PER_ROUND};
    uint32_t *sizes = map_sizes(ring.count);
    size_t name_count = p->sizes_file != NULL ? 1 : SIZES_DISTRIBUTIONS;
    if (sizes == NULL || !parse_touch(p->touch, &ring.touch)) {
        return command_fail(error, "%s", sizes ? "--touch takes none, first or all" : "no memory");
    }
    ring.sizes = sizes;
    for (size_t d = 0; d < name_count; d++) {
        names[d] = p->sizes_file != NULL ? "recorded" : size_distribution_names[d];
        if (p->sizes_file == NULL) {
            size_source_fill((enum size_distribution)d, bench->seed, sizes, ring.count);
        } else if (!size_source_load(p->sizes_file, sizes, ring.count, error->message,
                                     sizeof(error->message))) {
            return false;
        }
        size_t shown = ring.count < HISTOGRAM_SIZES ? ring.count : HISTOGRAM_SIZES;
        size_source_histogram(sizes, shown, histograms[d]);
        if (!bench_measure_all(bench, measure, &ring, 1, &samples[d], result)) {
            return command_fail(error, "out of memory");
        }
    }
    munmap(sizes, ring.count * sizeof(*sizes));
    snprintf(result->about, sizeof(result->about),
             "%llu rounds of %d requests into a ring of %d, the oldest %d freed when it is full; "
             "sizes 4 to 524287: uniform, exponential (mean 65536), log-normal (median 92, sigma "
             "0.6) from xoshiro256**, seed %llu; blocks touched: %s; the loop with a null "
             "allocator subtracted",
             (unsigned long long)p->rounds, RING_PER_ROUND, RING_BLOCKS, RING_PER_ROUND,
             (unsigned long long)bench->seed, p->touch);
    add_costs(bench, samples, names, name_count, result);
    add_histogram(histograms, names, name_count, result);
    add_verdict(bench, samples, name_count, result);
    for (size_t d = 0; d < name_count; d++) {
        bench_samples_close(&samples[d]);
    }
    return true;
}

/* Estimate ------------------------------------------------------------------------------------ */

/* "size count" a line (or "from,to,count", as distributions writes it); '#' begins a comment. */
static bool load_histogram(const char *path, uint64_t histogram[SIZE_SOURCE_BUCKETS],
                           struct command_error *error)
{
    char line[200];
    unsigned long number = 0;
    uint64_t total = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    memset(histogram, 0, SIZE_SOURCE_BUCKETS * sizeof(*histogram));
    while (fgets(line, sizeof(line), file) != NULL) {
        unsigned long long from = 0;
        unsigned long long to = 0;
        unsigned long long count = 0;
        number++;
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#' || line[0] == 's') {
            continue;
        }
        if (sscanf(line, "%llu,%llu,%llu", &from, &to, &count) != 3 &&
            sscanf(line, "%llu%*[ ,\t]%llu", &from, &count) != 2) {
            fclose(file);
            line[strcspn(line, "\r\n")] = '\0';
            return command_fail(error, "%s:%lu: expected a size and a count, found \"%s\"", path,
                                number, line);
        }
        size_t bucket = 63 - (size_t)__builtin_clzll(from | 1);
        histogram[bucket < SIZE_SOURCE_BUCKETS ? bucket : SIZE_SOURCE_BUCKETS - 1] += count;
        total += count;
    }
    fclose(file);
    return total > 0 || command_fail(error, "%s: holds no count", path);
}

/* The middle of a bucket, in the sense of powers. */
static uint32_t bucket_size(size_t bucket)
{
    uint32_t size = (uint32_t)(((uint64_t)1 << bucket) * 181 / 128);
    return size > SIZE_SOURCE_MAX ? SIZE_SOURCE_MAX : size;
}

static bool run_estimate(struct bench *bench, struct bench_result *result,
                         struct command_error *error)
{
    const struct bench_parameters *p = &bench->parameters;
    uint64_t histogram[SIZE_SOURCE_BUCKETS];
    struct ring_run ring = {.count = 100000};
    double estimates[BENCH_SUBJECTS_MAX] = {0};
    uint64_t total = 0;
    if (p->histogram == NULL) {
        return command_fail(error, "estimate needs --histogram FILE: a size and a count a line");
    }
    uint32_t *sizes = map_sizes(ring.count);
    if (sizes == NULL) {
        return command_fail(error, "out of memory");
    }
    if (!load_histogram(p->histogram, histogram, error)) {
        munmap(sizes, ring.count * sizeof(*sizes));
        return false;
    }
    ring.sizes = sizes;
    for (size_t bucket = 0; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
        total += histogram[bucket];
    }
    struct bench_table *table = bench_add_table(
        result, "estimate-buckets", "Nanoseconds an allocation and its release, by size");
    bench_table_column(table, "size_from", "size from");
    bench_table_column(table, "count", "count");
    for (size_t i = 0; i < bench->subject_count; i++) {
        bench_table_column(table, bench->subjects[i].label, bench->subjects[i].label);
    }
    for (size_t bucket = 0; bucket < SIZE_SOURCE_BUCKETS; bucket++) {
        struct bench_samples samples;
        if (histogram[bucket] == 0) {
            continue;
        }
        for (size_t i = 0; i < ring.count; i++) {
            sizes[i] = bucket_size(bucket);
        }
        if (!bench_measure_all(bench, measure, &ring, 1, &samples, result)) {
            return command_fail(error, "out of memory");
        }
        bench_table_number(table, (double)((uint64_t)1 << bucket), 0);
        bench_table_number(table, (double)histogram[bucket], 0);
        for (size_t i = 0; i < bench->subject_count; i++) {
            double ns = bench_samples_summary(&samples, i, 0).median;
            bench_table_number(table, ns, 1);
            estimates[i] += ns * (double)histogram[bucket] / (double)total;
        }
        bench_samples_close(&samples);
    }
    uint64_t count = p->estimate_count > 0 ? p->estimate_count : total;
    struct bench_table *answer =
        bench_add_table(result, "estimate", "Estimated cost of %llu allocations and releases",
                        (unsigned long long)count);
    bench_table_column(answer, "allocator", "allocator");
    bench_table_column(answer, "ns_each", "ns each");
    bench_table_column(answer, "seconds", "seconds in all");
    for (size_t i = 0; i < bench->subject_count; i++) {
        bench_table_text(answer, "%s", bench->subjects[i].label);
        bench_table_number(answer, estimates[i], 1);
        bench_table_number(answer, estimates[i] * (double)count / 1e9, 6);
    }
    munmap(sizes, ring.count * sizeof(*sizes));
    snprintf(result->about, sizeof(result->about),
             "%s: each bucket's cost measured with the loop of \"distributions\" and "
             "one size, weighted with its share; what surrounds the calls in a real program is not "
             "in it",
             p->histogram);
    return true;
}

static const struct bench_experiment distributions = {
    .name = "distributions",
    .summary = "a ring of 1000 blocks with sizes from three distributions",
    .source = "the article on the cost of allocation in embedded systems",
    .published = "0.1 to 1 microsecond; dlmalloc ahead of both platform allocators, by 1.4 to 2.0 "
                 "times on the Raspberry Pi for the two skewed distributions.",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,first-fit:heap=1G,slab",
    .default_runs = 5,
    .run = run_distributions,
};

static const struct bench_experiment estimate = {
    .name = "estimate",
    .summary = "what so many allocations of a given histogram would cost",
    .source = "the article on the cost of allocation in embedded systems",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,slab",
    .default_runs = 3,
    .run = run_estimate,
};

const struct bench_experiment *bench_distributions(void)
{
    return &distributions;
}

const struct bench_experiment *bench_estimate(void)
{
    return &estimate;
}
