/*
 * allocbench_fill.c - the experiments "exhaustion" and "worst-case": 32 MiB filled with blocks.
 *
 * exhaustion: 8192 requests of 4088 bytes, then all of them freed in order; both timed as a whole.
 * worst-case: 1. fill the heap with such blocks; 2. free every other one and the last two, so that
 * the only two free blocks side by side lie at the end; 3. allocate 8184 bytes and free them, 8192
 * times a repetition. As published, three end up side by side (and one is freed twice, which is
 * left out here). Only allocators that live in a region of 32 MiB can take part.
 * Source: Laska, "Ready, Set, Allocate! Part 6".
 */
#include "allocbench.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS     8192
#define BLOCK_SIZE 4088
#define PAIR_SIZE  8184
#define HEAP_BYTES (UINT64_C(32) << 20)

static struct node_heap *open_heap(const char *specification)
{
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    if (heap != NULL && !node_heap_open(heap, specification, &bench_source, &error)) {
        free(heap);
        return NULL;
    }
    return heap;
}

/* values: for each count, nanoseconds of the requests, then of the releases. */
static enum bench_status measure_exhaustion(const struct bench_run *run, double *values,
                                            size_t count)
{
    static void *blocks[BLOCKS];
    const struct bench *bench = run->bench;
    struct node_heap *heap = open_heap(run->specification);
    if (heap == NULL) {
        return BENCH_FAILED;
    }
    for (size_t c = 0; c < count / 2; c++) {
        uint64_t allocate_ticks = 0;
        uint64_t release_ticks = 0;
        for (uint64_t n = 0; n < bench->parameters.counts[c]; n++) {
            uint64_t start = cycle_clock_now();
            for (size_t i = 0; i < BLOCKS; i++) {
                blocks[i] = node_allocator_allocate(heap->allocator, BLOCK_SIZE);
            }
            uint64_t middle = cycle_clock_now();
            if (blocks[BLOCKS - 1] == NULL) {
                return BENCH_FULL;
            }
            uint64_t resumed = cycle_clock_now();
            for (size_t i = 0; i < BLOCKS; i++) {
                node_allocator_release(heap->allocator, blocks[i], BLOCK_SIZE);
            }
            uint64_t end = cycle_clock_now();
            allocate_ticks += cycle_clock_between(&bench->clock, start, middle);
            release_ticks += cycle_clock_between(&bench->clock, resumed, end);
        }
        values[2 * c] = (double)allocate_ticks * bench->clock.ns_per_tick;
        values[2 * c + 1] = (double)release_ticks * bench->clock.ns_per_tick;
    }
    return BENCH_DONE;
}

/* values: for each count, nanoseconds of all requests for two blocks, then of their releases. */
static enum bench_status measure_worst_case(const struct bench_run *run, double *values,
                                            size_t count)
{
    static void *blocks[BLOCKS];
    const struct bench *bench = run->bench;
    char confined[300];
    void *base = NULL;
    size_t bytes = 0;
    struct node_heap *heap = NULL;
    if (node_specification_with_heap(run->specification, HEAP_BYTES, confined, sizeof(confined))) {
        heap = open_heap(confined);
    }
    if (heap == NULL || !node_allocator_region(heap->allocator, &base, &bytes)) {
        return BENCH_LEFT_OUT;
    }
    size_t filled = 0;
    while (filled < BLOCKS &&
           (blocks[filled] = node_allocator_allocate(heap->allocator, BLOCK_SIZE)) != NULL) {
        filled++;
    }
    if (filled < 8) {
        return BENCH_LEFT_OUT;
    }
    size_t last_hole = bench->as_published ? filled - 1 : filled - 3;
    for (size_t i = filled % 2 == 0 ? 1 : 0; i < last_hole; i += 2) {
        node_allocator_release(heap->allocator, blocks[i], BLOCK_SIZE);
    }
    node_allocator_release(heap->allocator, blocks[filled - 2], BLOCK_SIZE);
    node_allocator_release(heap->allocator, blocks[filled - 1], BLOCK_SIZE);
    for (size_t c = 0; c < count / 2; c++) {
        uint64_t allocate_ticks = 0;
        uint64_t release_ticks = 0;
        for (uint64_t n = 0; n < bench->parameters.counts[c] * BLOCKS; n++) {
            uint64_t start = cycle_clock_now();
            void *pair = node_allocator_allocate(heap->allocator, PAIR_SIZE);
            uint64_t middle = cycle_clock_now();
            if (pair == NULL) {
                return BENCH_LEFT_OUT; /* what it freed does not lie side by side */
            }
            uint64_t resumed = cycle_clock_now();
            node_allocator_release(heap->allocator, pair, PAIR_SIZE);
            uint64_t end = cycle_clock_now();
            allocate_ticks += cycle_clock_between(&bench->clock, start, middle);
            release_ticks += cycle_clock_between(&bench->clock, resumed, end);
        }
        values[2 * c] = (double)allocate_ticks * bench->clock.ns_per_tick;
        values[2 * c + 1] = (double)release_ticks * bench->clock.ns_per_tick;
    }
    return BENCH_DONE;
}

/* A row a subject and count: both actions in milliseconds, and for people the cost of one call. */
static void add_table(const struct bench *bench, const struct bench_samples *samples,
                      const char *name, const char *title, struct bench_result *result)
{
    static const char *const columns[][2] = {{"allocator", "allocator"},
                                             {"repetitions", "repetitions"},
                                             {"allocate_ms", "allocate ms"},
                                             {"allocate_spread_percent", "+-%"},
                                             {"free_ms", "free ms"},
                                             {"free_spread_percent", "+-%"},
                                             {"allocate_ns_a_call", "ns an allocation"},
                                             {"free_ns_a_call", "ns a free"}};
    struct bench_table *table = bench_add_table(result, name, "%s", title);
    for (size_t i = 0; i < 8; i++) {
        bench_table_column(table, columns[i][0], columns[i][1]);
    }
    for (size_t c = 0; c < bench->parameters.count_count; c++) {
        for (size_t i = 0; i < bench->subject_count; i++) {
            double calls = (double)bench->parameters.counts[c] * BLOCKS;
            struct samples_summary take = bench_samples_summary(samples, i, 2 * c);
            struct samples_summary give = bench_samples_summary(samples, i, 2 * c + 1);
            bench_table_text(table, "%s", bench->subjects[i].label);
            bench_table_number(table, (double)bench->parameters.counts[c], 0);
            bench_table_number(table, take.median / 1e6, 3);
            bench_table_number(table, 100 * take.spread, 1);
            bench_table_number(table, give.median / 1e6, 3);
            bench_table_number(table, 100 * give.spread, 1);
            bench_table_number(table, take.median / calls, 1);
            bench_table_number(table, give.median / calls, 1);
        }
    }
}

static void add_bars(const struct bench *bench, const struct bench_samples *samples,
                     const char *name, const char *title, struct bench_result *result)
{
    struct plot *plot = bench_add_plot(result, PLOT_BARS, name, bench->subject_count, "%s", title);
    if (plot == NULL) {
        return;
    }
    double *take = plot_add_series(plot, "allocate");
    double *give = plot_add_series(plot, "free");
    size_t last = bench->parameters.count_count - 1;
    double calls = (double)bench->parameters.counts[last] * BLOCKS;
    for (size_t i = 0; i < bench->subject_count; i++) {
        plot_label(plot, i, bench->subjects[i].label);
        if (take != NULL && give != NULL) {
            take[i] = bench_samples_summary(samples, i, 2 * last).median / calls;
            give[i] = bench_samples_summary(samples, i, 2 * last + 1).median / calls;
        }
    }
    snprintf(plot->x_label, sizeof(plot->x_label), "allocator");
    snprintf(plot->y_label, sizeof(plot->y_label), "ns a call, over %llu times",
             (unsigned long long)bench->parameters.counts[last]);
    plot->y_log = true;
}

/* The article's CSV. */
static char *article(const struct bench *bench, const struct bench_samples *samples,
                     const char *column)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; out != NULL && i < bench->subject_count; i++) {
        if (bench->subject_count > 1) {
            fprintf(out, "# %s\n", bench->subjects[i].label);
        }
        fprintf(out, "Action,Num Repetitions,%s\n", column);
        for (size_t action = 0; action < 2; action++) {
            for (size_t c = 0; c < bench->parameters.count_count; c++) {
                double ns = bench_samples_summary(samples, i, 2 * c + action).median;
                uint64_t tenths_ms = isnan(ns) ? 0 : (uint64_t)(ns / 1e5 + 0.5);
                fprintf(out, "%s,%llu,%02llu:%02llu:%02llu.%04llu\n",
                        action == 0 ? "Allocate" : "Free",
                        (unsigned long long)bench->parameters.counts[c],
                        (unsigned long long)(tenths_ms / 36000000),
                        (unsigned long long)(tenths_ms / 600000 % 60),
                        (unsigned long long)(tenths_ms / 10000 % 60),
                        (unsigned long long)(tenths_ms % 10000));
            }
        }
    }
    if (out != NULL) {
        fclose(out);
    }
    return text;
}

/* The median of one value of the subject of that name, in ms; NaN: not measured. */
static double ms_of(const struct bench *bench, const struct bench_samples *samples,
                    const char *label, size_t index)
{
    for (size_t i = 0; i < bench->subject_count; i++) {
        if (strcmp(bench->subjects[i].label, label) == 0) {
            return bench_samples_summary(samples, i, index).median / 1e6;
        }
    }
    return NAN;
}

#define AS_PUBLISHED "block:small=no,lock=no"

static bool run_exhaustion(struct bench *bench, struct bench_result *result,
                           struct command_error *error)
{
    struct bench_samples samples;
    size_t count = bench->parameters.count_count * 2;
    if (!bench_measure_all(bench, measure_exhaustion, NULL, count, &samples, result)) {
        return command_fail(error, "out of memory");
    }
    snprintf(
        result->about, sizeof(result->about),
        "%d requests of %d bytes, then all freed in the same order; each loop timed as a whole",
        BLOCKS, BLOCK_SIZE);
    add_table(bench, &samples, "exhaustion", "8192 requests of 4088 bytes, and their release",
              result);
    add_bars(bench, &samples, "exhaustion", "Exhausting 32 MiB in blocks of 4 KiB", result);
    const struct bench_parameters *p = &bench->parameters;
    size_t last = p->count_count - 1;
    double times = (double)p->counts[last];
    double heap = (ms_of(bench, &samples, AS_PUBLISHED, 2 * last) +
                   ms_of(bench, &samples, AS_PUBLISHED, 2 * last + 1)) /
                  times;
    double c_library = (ms_of(bench, &samples, "malloc", 2 * last) +
                        ms_of(bench, &samples, "malloc", 2 * last + 1)) /
                       times;
    if (!isnan(heap) && !isnan(c_library)) {
        snprintf(result->verdict, sizeof(result->verdict),
                 "Filling and emptying 32 MiB takes the block heap %.2f ms a time and the C "
                 "library %.2f ms, over %llu times: %.1f to 1, published 44 to 1 for one time. %s "
                 "The very first time is mostly the system handing out pages, for either.",
                 heap, c_library, (unsigned long long)p->counts[last], c_library / heap,
                 c_library > heap ? "The order agrees." : "The order does not agree any more.");
    }
    result->article = article(bench, &samples, "Time to exhaust 32MB using 4KB per allocation");
    bench_samples_close(&samples);
    return true;
}

static bool run_worst_case(struct bench *bench, struct bench_result *result,
                           struct command_error *error)
{
    struct bench_samples samples;
    size_t count = bench->parameters.count_count * 2;
    if (!bench_measure_all(bench, measure_worst_case, NULL, count, &samples, result)) {
        return command_fail(error, "out of memory");
    }
    snprintf(
        result->about, sizeof(result->about),
        "a heap of 32 MiB full of 4088-byte blocks, every other one freed, and %s side by side "
        "at the end; then 8184 bytes allocated and freed, 8192 times a repetition",
        bench->as_published ? "three (as published, but none is freed twice)" : "two");
    add_table(bench, &samples, "worst-case", "8192 requests of 8184 bytes where they fit last",
              result);
    add_bars(bench, &samples, "worst-case", "The worst case: 8 KiB where only the end has room",
             result);
    bench_note(result, "An allocator that cannot be confined to 32 MiB, or that does not put the "
                       "blocks side by side, is left out.");
    double heap = ms_of(bench, &samples, AS_PUBLISHED, 0);
    if (!isnan(heap)) {
        snprintf(result->verdict, sizeof(result->verdict),
                 "One repetition takes the block heap %.1f ms, published 390.5 ms on a Pentium 4. "
                 "The cost is still linear in the pages of blocks passed over; this heap looks at "
                 "64 blocks at a time.",
                 heap / (double)bench->parameters.counts[0]);
    }
    result->article = article(bench, &samples, "Worst case allocation time for an 8KB block");
    bench_samples_close(&samples);
    return true;
}

static const struct bench_experiment exhaustion = {
    .name = "exhaustion",
    .summary = "fill 32 MiB with 4 KiB blocks, free them all",
    .source = "Laska, \"Ready, Set, Allocate! Part 6\"",
    .published = "Pentium 4, once: allocate 10.1 ms against 101.5 ms of the C library, free 6.1 ms "
                 "against 613.6 ms.",
    .allocators =
        "malloc,block:small=no,lock=no,block,first-fit,lib:jemalloc,lib:mimalloc,lib:tcmalloc",
    .default_runs = 3,
    .run = run_exhaustion,
};

static const struct bench_experiment worst_case = {
    .name = "worst-case",
    .summary = "8 KiB from a heap with holes of 4 KiB but at its end",
    .source = "Laska, \"Ready, Set, Allocate! Part 6\"",
    .published = "Pentium 4, once: 390.5 ms.",
    .allocators = "block:small=no,lock=no,block,first-fit,first-fit32",
    .default_runs = 3,
    .run = run_worst_case,
};

const struct bench_experiment *bench_exhaustion(void)
{
    return &exhaustion;
}

const struct bench_experiment *bench_worst_case(void)
{
    return &worst_case;
}
