/*
 * allocbench_trace.c - the experiment "trace": recorded requests on any allocator.
 *
 * 1. A recording of `allocbench record` becomes a list of requests and releases
 *    (perf/program/trace.h).
 * 2. Each call is timed by itself, with the processor's counter; between the calls each page of a
 *    new block is touched, so that the block is there. Then the whole is timed once, touching
 *    included and without a clock in between.
 * 3. In separate runs, in fresh processes, the memory held is read; after the last step every block
 *    is released, and what is held then is the drained memory.
 * The program's own work and what it does to the caches are left out: `program` has them.
 */
#include "allocbench_memory.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "perf/program/trace.h"
#include "perf/traffic/timed_calls.h"
#include <string.h>
#include <sys/mman.h>

/* The values of a timed run, in ns but the first. */
enum {
    ALL_S,
    REQUEST_MEAN,
    REQUEST_MEDIAN,
    REQUEST_99,
    REQUEST_999,
    RELEASE_MEAN,
    RELEASE_MEDIAN,
    RELEASE_99,
    RELEASE_999,
    TRACE_VALUES
};

/* Release what is alive at the end. */
static void drain(struct node_allocator *allocator, struct trace_slot *slots, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(*slots); i++) {
        if (slots[i].block != NULL) {
            node_allocator_release(allocator, slots[i].block, slots[i].size);
            slots[i].block = NULL;
        }
    }
}

/* Time ----------------------------------------------------------------------------------------- */

/* Make all calls, each timed. ticks: of the requests, then of the releases, counts[0] and counts[1]
 * of them. */
static bool time_calls(const struct bench_run *run, struct node_allocator *allocator,
                       struct trace_slot *slots, uint32_t *ticks[2], size_t counts[2])
{
    const struct bench_input *input = run->parameters;
    const struct cycle_clock *clock = &run->bench->clock;
    for (size_t i = 0; i < input->count; i += 2) {
        struct trace_slot *slot = &slots[input->items[i]];
        const uint32_t size = input->items[i + 1];
        uint64_t spent = 0;
        if (size > 0) {
            *slot = (struct trace_slot){.block = timed_allocate(clock, allocator, size, &spent),
                                        .size = size};
            if (slot->block == NULL) {
                return false;
            }
            trace_touch(slot->block, size);
        } else {
            timed_release(clock, allocator, slot->block, slot->size, &spent);
            slot->block = NULL;
        }
        const size_t kind = size == 0;
        ticks[kind][counts[kind]++] = spent < UINT32_MAX ? (uint32_t)spent : UINT32_MAX;
    }
    return true;
}

/* The mean, the median and two quantiles, in ns, as values of a run. */
static void summarize(const struct cycle_clock *clock, uint32_t *ticks, size_t count,
                      double *values)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += ticks[i];
    }
    if (count > 0) {
        values[0] = (double)all / (double)count * clock->ns_per_tick;
        values[1] = ticks_quantile(ticks, count, 0.5) * clock->ns_per_tick;
        values[2] = ticks_quantile(ticks, count, 0.99) * clock->ns_per_tick;
        values[3] = ticks_quantile(ticks, count, 0.999) * clock->ns_per_tick;
    }
}

static enum bench_status measure_time(const struct bench_run *run, double *values)
{
    const struct bench_input *input = run->parameters;
    static struct node_heap heap;
    size_t bytes = 0;
    size_t counts[2] = {0, 0};
    struct trace_slot *slots = trace_slots(input, &bytes);
    uint32_t *ticks = bench_map(input->count * sizeof(*ticks));
    pw_assert(input->count % 2 == 0);
    if (slots == NULL || ticks == NULL || !bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    /* first without clocks */
    const uint64_t start_ns = clock_now_ns();
    for (size_t i = 0; i < input->count; i += 2) {
        if (!trace_step(heap.allocator, &slots[input->items[i]], input->items[i + 1])) {
            return bench_refused(heap.allocator);
        }
    }
    values[ALL_S] = (double)(clock_now_ns() - start_ns) / 1e9;
    drain(heap.allocator, slots, bytes);
    node_heap_close(&heap);
    uint32_t *both[2] = {ticks, ticks + input->count / 2};
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    if (!time_calls(run, heap.allocator, slots, both, counts)) {
        return bench_refused(heap.allocator);
    }
    summarize(&run->bench->clock, both[0], counts[0], values + REQUEST_MEAN);
    summarize(&run->bench->clock, both[1], counts[1], values + RELEASE_MEAN);
    drain(heap.allocator, slots, bytes);
    node_heap_close(&heap);
    return BENCH_DONE;
}

/* Memory --------------------------------------------------------------------------------------- */

/* The memory is read at the peak and at the times of the watch: each look takes up to a
 * millisecond. */
static enum bench_status measure_memory(const struct bench_run *run, double *values)
{
    const struct bench_input *input = run->parameters;
    static struct node_heap heap;
    struct memory_watch watch;
    size_t bytes = 0;
    double live = 0;
    struct trace_slot *slots = trace_slots(input, &bytes);
    if (slots == NULL) {
        return BENCH_FAILED;
    }
    const size_t peak = trace_peak(input, slots, bytes);
    memory_watch_start(&watch, input->count / 2 + 1, values);
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        memory_watch_end(&watch, 0);
        return BENCH_FAILED;
    }
    for (size_t i = 0; i < input->count; i += 2) {
        struct trace_slot *slot = &slots[input->items[i]];
        const uint32_t size = input->items[i + 1];
        live += size > 0 ? size : -(double)slot->size;
        if (!trace_step(heap.allocator, slot, size)) {
            memory_watch_end(&watch, 0);
            return bench_refused(heap.allocator);
        }
        if (memory_watch_is_due(&watch, i / 2, i == peak ? live : 0)) {
            memory_watch_look(&watch, i / 2, trace_touched(live));
        }
    }
    drain(heap.allocator, slots, bytes);
    memory_watch_end(&watch, 0);
    node_heap_close(&heap);
    return memory_watch_is_possible(&watch) ? BENCH_DONE : BENCH_UNSEEN;
}

/* The experiment ------------------------------------------------------------------------------- */

/* The four figures of one kind of call, beginning with the value mean. */
static void add_calls(struct bench_table *table, const struct bench_samples *samples, size_t one,
                      size_t mean)
{
    bench_add_summary(table, bench_summary(samples, one, mean), 1);
    for (size_t k = 1; k <= 3; k++) {
        bench_add_number(table, bench_median(samples, one, mean + k));
    }
}

/* A row per allocator: all calls, and the requests. */
static void add_costs(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"seconds", "seconds", 4},
        BENCH_SPREAD("spread_percent"),         {"request_ns", "request ns", 1},
        BENCH_SPREAD("request_spread_percent"), {"request_median_ns", "median", 1},
        {"request_99_ns", "99 %", 1},           {"request_999_ns", "99.9 %", 1}};
    struct bench_table *table =
        bench_add_table(bench, "trace", columns, COUNT_OF(columns),
                        "Cost of the recorded calls: of all, and of each request");
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, bench_summary(samples, i, ALL_S), 1);
        add_calls(table, samples, i, REQUEST_MEAN);
    }
}

/* A row per allocator: the releases, and the memory after them. */
static void add_releases(struct bench *bench, const struct bench_samples *samples,
                         const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"release_ns", "release ns", 1},
        BENCH_SPREAD("release_spread_percent"), {"release_median_ns", "median", 1},
        {"release_99_ns", "99 %", 1},           {"release_999_ns", "99.9 %", 1},
        {"drained_kib", "drained, KiB", 0}};
    struct bench_table *table =
        bench_add_table(bench, "trace-releases", columns, COUNT_OF(columns),
                        "Cost of each release, and what is held after the last");
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        add_calls(table, samples, i, RELEASE_MEAN);
        bench_add_number(table, bench_median(memory, i, MEMORY_HELD_END) / 1024);
    }
}

static bool run_trace(struct bench *bench)
{
    static const char *const memory_tables[] = {"trace-memory", "trace-memory-times"};
    const char *const path = bench->parameters.program.trace;
    struct trace trace;
    if (path == NULL) {
        bench->failure = EXIT_USAGE;
        return command_fail(bench->error, "trace: which file? allocbench trace sort.rec");
    }
    if (bench->parameters.program.second != NULL) {
        return bench_trace_two(bench,
                               (const char *const[]){path, bench->parameters.program.second});
    }
    bool done = trace_open(bench, path, &trace);
    const size_t bytes = 2 * trace.steps * sizeof(*trace.words);
    uint32_t *words = done ? bench_map(bytes) : NULL;
    if (words != NULL) { /* memory of no allocator under test */
        memcpy(words, trace.words, bytes);
    }
    trace_close(&trace);
    done = done && (words != NULL || command_fail(bench->error, "out of memory"));
    if (done) {
        const struct bench_input input = {.items = words, .count = 2 * trace.steps};
        const char *const name[] = {trace.program[0] != '\0' ? trace.program : path};
        const struct bench_samples *samples =
            bench_measure_all(bench, measure_time, &input, TRACE_VALUES);
        const struct bench_samples *memory =
            bench_measure_all(bench, measure_memory, &input, MEMORY_VALUES);
        add_costs(bench, samples);
        add_releases(bench, samples, memory);
        bench_add_memory(bench, memory_tables, &memory, name, 1);
        bench_about(bench,
                    "%.200s: %llu requests and %llu releases in their recorded order, at most %.1f "
                    "MiB alive; each page of a block touched",
                    path, (unsigned long long)trace.requests, (unsigned long long)trace.releases,
                    (double)trace.live_peak / 1048576);
        if (trace.left_out > 0) {
            bench_note(bench,
                       "%llu calls are left out: they failed, or release what the trace has "
                       "not requested",
                       (unsigned long long)trace.left_out);
        }
    }
    if (words != NULL) {
        munmap(words, bytes);
    }
    return done;
}

const struct bench_experiment bench_trace = {
    .name = "trace",
    .summary = "the requests of a recorded program on any allocator: trace [OPTION]... FILE [FILE]",
    .source = "PathEngine, \"Measure Memory Allocation Cost, by Eliminating It\"",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,first-fit:heap=1G,slab",
    .default_runs = 5,
    .run = run_trace,
    .bodies = {measure_time, measure_memory, bench_memory_replay},
};
