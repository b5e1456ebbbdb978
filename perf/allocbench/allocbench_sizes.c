/*
 * allocbench_sizes.c - the experiment "sizes": an allocation and its release, by size.
 *
 * 1. For each repeat count and each of 25 sizes, 1 byte to 32 MiB, a block is allocated and freed
 *    at once, that many times; only the two calls are timed.
 * 2. The clock's own cost is subtracted from each. Sizes from 4 KiB on are 8 bytes less, so that a
 *    header makes them whole blocks.
 * Source: Laska, "Ready, Set, Allocate! Part 6".
 */
#include "allocbench.h"
#include "base/macros.h"
#include "perf/traffic/timed_calls.h"
#include "published.h"
#include <math.h>
#include <string.h>

#define SIZE_COUNT 25
#define SHOWN      1000 /* repeat count of the table for people, or the next lower */

static uint64_t sizes_of(size_t index)
{
    static const uint64_t raw[] = {1, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
    return index < COUNT_OF(raw) ? raw[index] : ((uint64_t)4096 << (index - COUNT_OF(raw))) - 8;
}

/* values: for each count and size, nanoseconds of all requests, then of all releases. */
static enum bench_status measure(const struct bench_run *run, double *values)
{
    const struct fill_parameters *p = &run->bench->parameters.fill;
    static struct node_heap heap;
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    for (size_t i = 0; i < p->count_count * SIZE_COUNT; i++) {
        if (!timed_pairs(&run->bench->clock, heap.allocator, (size_t)sizes_of(i % SIZE_COUNT),
                         p->counts[i / SIZE_COUNT], values + 2 * i)) {
            return bench_refused(heap.allocator);
        }
    }
    return BENCH_DONE;
}

/* Every figure, for programs. */
static void add_data(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"action", "action", BENCH_TEXT},
                                                  {"count", "count", 0},
                                                  {"size_bytes", "size_bytes", 0},
                                                  {"median_ns", "median_ns", 0},
                                                  {"low_ns", "low_ns", 0},
                                                  {"high_ns", "high_ns", 0}};
    struct bench_table *table =
        bench_add_table(bench, "sizes", columns, COUNT_OF(columns), "Nanoseconds for all repeats");
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t index = 0; index < samples->count; index++) {
            struct samples_summary summary = bench_summary(samples, i, index);
            uint64_t count = bench->parameters.fill.counts[index / 2 / SIZE_COUNT];
            uint64_t size = sizes_of(index / 2 % SIZE_COUNT);
            bench_add_text(table, bench->cases[i].label);
            bench_add_row(
                table, index % 2 == 0 ? "allocate" : "free",
                (double[]){(double)count, (double)size, summary.median, summary.low, summary.high});
        }
    }
}

/* Nanoseconds per request and per release, at one repeat count. */
static void add_summary(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column size_column = {"size", "size", BENCH_TEXT};
    const struct fill_parameters *p = &bench->parameters.fill;
    size_t c = 0;
    for (size_t i = 0; i < p->count_count; i++) {
        c = p->counts[i] <= SHOWN ? i : c;
    }
    double repeats = (double)p->counts[c];
    struct bench_table *table = bench_add_table(
        bench, "sizes-summary", &size_column, 1,
        "Nanoseconds per request + per release (quartile spread), %.0f in a row, by size", repeats);
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_column(table, NULL, bench->cases[i].label, BENCH_TEXT);
    }
    for (size_t s = 0; s < SIZE_COUNT; s++) {
        char text[80];
        bench_write_bytes(text, sizeof(text), sizes_of(s));
        bench_add_text(table, text);
        for (size_t i = 0; i < bench->case_count; i++) {
            struct samples_summary take = bench_summary(samples, i, 2 * (c * SIZE_COUNT + s));
            struct samples_summary give = bench_summary(samples, i, 2 * (c * SIZE_COUNT + s) + 1);
            double spread = 100 * fmax(take.spread, give.spread);
            int used = snprintf(text, sizeof(text), "%s%.1f + %.1f", spread >= 100 ? "~" : "",
                                take.median / repeats, give.median / repeats);
            if (!isnan(spread)) { /* one run has no spread */
                snprintf(text + used, sizeof(text) - (size_t)used, " (%.0f%%)", spread);
            }
            bench_add_text(table, isnan(take.median) ? NULL : text);
        }
    }
}

static bool run_sizes(struct bench *bench)
{
    char head[600] = "Num Allocations";
    const struct bench_samples *samples = bench_measure_all(
        bench, measure, NULL, bench->parameters.fill.count_count * SIZE_COUNT * 2);
    bench_about(bench,
                "a block of each of %d sizes allocated and freed at once, again and again; both "
                "calls timed apart",
                SIZE_COUNT);
    add_data(bench, samples);
    add_summary(bench, samples);
    for (size_t s = 0, used = strlen(head); s < SIZE_COUNT; s++) {
        char text[24]; /* "64 KiB" is MEM_64KB in the article */
        bench_write_bytes(text, sizeof(text), sizes_of(s));
        const char *unit = strchr(text, ' ') + 1;
        used += (size_t)snprintf(head + used, sizeof(head) - used, ",MEM_%.*s%.1s%s",
                                 (int)strcspn(text, " "), text, unit, unit[1] != '\0' ? "B" : "");
    }
    bench_write_article(bench, samples, head, SIZE_COUNT);
    return true;
}

const struct bench_experiment bench_sizes = {
    .name = "sizes",
    .summary = "allocating and freeing at once, 1 byte to 32 MiB",
    .source = "Laska, \"Ready, Set, Allocate! Part 6\"",
    .published = "Pentium 4, C library against block heap: " PUBLISHED_SIZES,
    .allocators = "malloc,block:small=no,block,slab,lib:jemalloc,lib:mimalloc,lib:tcmalloc",
    .default_runs = 3,
    .run = run_sizes,
    .bodies = {measure},
};
