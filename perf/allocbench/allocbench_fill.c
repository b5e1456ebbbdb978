/*
 * allocbench_fill.c - the experiments "exhaustion" and "worst-case": 32 MiB filled with blocks.
 *
 * exhaustion: 8192 requests of 4088 bytes, then all of them freed in order; both timed as a whole.
 * worst-case: 1. fill the heap with such blocks; 2. free every other one and the last two, so that
 * the only two adjacent free blocks lie at the end; 3. allocate 8184 bytes and free them, 8192
 * times per repetition. As published, three blocks are adjacent (the article frees one twice; here
 * that is left out). Only allocators that live in a region of 32 MiB can take part.
 * Source: Laska, "Ready, Set, Allocate! Part 6".
 */
#include "allocbench.h"
#include "base/macros.h"
#include "perf/traffic/timed_calls.h"
#include "published.h"

#define BLOCKS     8192
#define BLOCK_SIZE 4088
#define PAIR_SIZE  8184
#define HEAP_BYTES (UINT64_C(32) << 20)

/* values: for each count, nanoseconds of the requests, then of the releases. */
static enum bench_status measure_exhaustion(const struct bench_run *run, double *values)
{
    static void *blocks[BLOCKS];
    const struct fill_parameters *p = &run->bench->parameters.fill;
    const struct cycle_clock *clock = &run->bench->clock;
    static struct node_heap heap;
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    struct node_allocator *allocator = heap.allocator;
    for (size_t c = 0; c < p->count_count; c++) {
        uint64_t allocate_ticks = 0;
        uint64_t release_ticks = 0;
        for (uint64_t n = 0; n < p->counts[c]; n++) {
            uint64_t start = cycle_clock_now();
            for (size_t i = 0; i < BLOCKS; i++) {
                blocks[i] = node_allocator_allocate(allocator, BLOCK_SIZE);
            }
            uint64_t middle = cycle_clock_now();
            for (size_t i = 0; i < BLOCKS; i++) { /* any of them may have been refused */
                if (blocks[i] == NULL) {
                    return bench_refused(allocator);
                }
            }
            uint64_t resumed = cycle_clock_now();
            for (size_t i = 0; i < BLOCKS; i++) {
                node_allocator_release(allocator, blocks[i], BLOCK_SIZE);
            }
            uint64_t end = cycle_clock_now();
            allocate_ticks += cycle_clock_between(clock, start, middle);
            release_ticks += cycle_clock_between(clock, resumed, end);
        }
        values[2 * c] = (double)allocate_ticks * clock->ns_per_tick;
        values[2 * c + 1] = (double)release_ticks * clock->ns_per_tick;
    }
    return BENCH_DONE;
}

/* The heap of the worst case, confined to 32 MiB; NULL: impossible. */
static struct node_allocator *open_worst_case(const struct bench_run *run)
{
    static void *blocks[BLOCKS];
    char confined[300];
    void *base = NULL;
    size_t bytes = 0;
    size_t filled = 0;
    static struct node_heap heap;
    if (!node_specification_with_heap(run->specification, HEAP_BYTES, confined, sizeof(confined)) ||
        !bench_open_heap(&heap, confined, NULL) ||
        !node_allocator_region(heap.allocator, &base, &bytes)) {
        return NULL;
    }
    struct node_allocator *allocator = heap.allocator;
    while (filled < BLOCKS &&
           (blocks[filled] = node_allocator_allocate(allocator, BLOCK_SIZE)) != NULL) {
        filled++;
    }
    if (filled < 8) {
        return NULL;
    }
    size_t last_hole = run->bench->as_published ? filled - 1 : filled - 3;
    for (size_t i = filled % 2 == 0 ? 1 : 0; i < last_hole; i += 2) {
        node_allocator_release(allocator, blocks[i], BLOCK_SIZE);
    }
    node_allocator_release(allocator, blocks[filled - 2], BLOCK_SIZE);
    node_allocator_release(allocator, blocks[filled - 1], BLOCK_SIZE);
    return allocator;
}

/* values: for each count, nanoseconds of all requests for two blocks, then of their releases. */
static enum bench_status measure_worst_case(const struct bench_run *run, double *values)
{
    const struct fill_parameters *p = &run->bench->parameters.fill;
    struct node_allocator *allocator = open_worst_case(run);
    if (allocator == NULL) {
        return BENCH_LEFT_OUT;
    }
    for (size_t c = 0; c < p->count_count; c++) {
        if (!timed_pairs(&run->bench->clock, allocator, PAIR_SIZE, p->counts[c] * BLOCKS,
                         values + 2 * c)) {
            return BENCH_LEFT_OUT; /* its free blocks are not adjacent */
        }
    }
    return BENCH_DONE;
}

/* Measure; a row per count and case: both actions in milliseconds, and the cost of one call. */
static void measure_table(struct bench *bench, bench_body body, const char *name, const char *title,
                          const char *article_head)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT},
        {"repetitions", "repetitions", 0},
        {"allocate_ms", "allocate ms", 3},
        BENCH_SPREAD("allocate_spread_percent"),
        {"free_ms", "free ms", 3},
        BENCH_SPREAD("free_spread_percent"),
        {"allocate_ns_per_call", "ns per allocation", 1},
        BENCH_SPREAD("allocate_call_spread_percent"),
        {"free_ns_per_call", "ns per free", 1},
        BENCH_SPREAD("free_call_spread_percent"),
    };
    const struct fill_parameters *p = &bench->parameters.fill;
    const struct bench_samples *samples = bench_measure_all(bench, body, NULL, p->count_count * 2);
    struct bench_table *table =
        bench_add_table(bench, name, columns, COUNT_OF(columns), "%s", title);
    for (size_t c = 0; c < p->count_count; c++) {
        for (size_t i = 0; i < bench->case_count; i++) {
            double calls = (double)p->counts[c] * BLOCKS;
            struct samples_summary take = bench_summary(samples, i, 2 * c);
            struct samples_summary give = bench_summary(samples, i, 2 * c + 1);
            bench_add_row(table, bench->cases[i].label,
                          (double[]){(double)p->counts[c], take.median / 1e6, 100 * take.spread,
                                     give.median / 1e6, 100 * give.spread, take.median / calls,
                                     100 * take.spread, give.median / calls, 100 * give.spread});
        }
    }
    bench_write_article(bench, samples, article_head, 1);
}

static bool run_exhaustion(struct bench *bench)
{
    measure_table(bench, measure_exhaustion, "exhaustion",
                  "8192 requests of 4088 bytes, and their release",
                  "Num Repetitions,Time to exhaust 32MB using 4KB per allocation");
    bench_about(
        bench,
        "%d requests of %d bytes, then all freed in the same order; each loop timed as a whole",
        BLOCKS, BLOCK_SIZE);
    return true;
}

static bool run_worst_case(struct bench *bench)
{
    measure_table(bench, measure_worst_case, "worst-case",
                  "8192 requests of 8184 bytes that fit only at the end",
                  "Num Repetitions,Worst case allocation time for an 8KB block");
    bench_about(bench,
                "a heap of 32 MiB full of 4088-byte blocks, every other one freed, and %s side by "
                "side at the end; then 8184 bytes allocated and freed, 8192 times per repetition",
                bench->as_published ? "three (as published, but none is freed twice)" : "two");
    return true;
}

const struct bench_experiment bench_exhaustion = {
    .name = "exhaustion",
    .summary = "filling 32 MiB with 4 KiB blocks, and freeing them all",
    .source = "Laska, \"Ready, Set, Allocate! Part 6\"",
    .published = "Pentium 4, C library against block heap: " PUBLISHED_EXHAUSTION,
    .allocators = "malloc,block:small=no,block,first-fit,lib:jemalloc,lib:mimalloc,lib:tcmalloc",
    .default_runs = 3,
    .run = run_exhaustion,
    .bodies = {measure_exhaustion},
};

const struct bench_experiment bench_worst_case = {
    .name = "worst-case",
    .summary = "8 KiB from a heap that has room for them only at its end",
    .source = "Laska, \"Ready, Set, Allocate! Part 6\"",
    .published = "Pentium 4, block heap: " PUBLISHED_WORST_CASE,
    .allocators = "block:small=no,block,first-fit,first-fit32",
    .default_runs = 3,
    .run = run_worst_case,
    .bodies = {measure_worst_case},
};
