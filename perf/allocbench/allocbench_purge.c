/*
 * allocbench_purge.c - the experiment "purge": millions of small blocks, freed many at a time.
 *
 * 1. Requests of uniform random sizes, 1 to 512 bytes, from a constant seed; each call timed.
 * 2. After about every 256th, a share of the live blocks, chosen at random, is freed.
 * 3. Batches of 250 requests with a pause between them, at real-time priority if permitted. When
 *    the kernel took the processor away k times during a batch, its k longest samples are dropped.
 * 4. All bookkeeping lies in memory mapped and touched beforehand, not from the allocator.
 * 5. In separate runs of the same requests, untimed, the memory held is read right before a purge,
 *    some 64 times (memory_watch.h).
 * Result: mean, median, p99 and maximum of the cycles, for each size; peak fragmentation.
 * Source: the allocator benchmark of 2006.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "perf/traffic/memory_watch.h"
#include "perf/traffic/prng.h"
#include "perf/traffic/timed_calls.h"
#include <math.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define SIZE_MAX_BYTES 512
#define LIVE_MAX       65536
#define BATCH_MAX      4096
#define PER_SIZE       4 /* values per size: mean, median, p99, maximum */

/* The values of a run. */
enum {
    CUMULATIVE_BYTES,
    DROPPED,
    FREE_MEAN, /* cycles */
    MEAN,      /* cycles per request, all sizes */
    REAL_TIME, /* 1: the priority was granted */
    SIZES,
    VALUES = SIZES + SIZE_MAX_BYTES * PER_SIZE
};

struct sample {
    uint32_t ticks;
    uint32_t size; /* 0: dropped */
};

/* The state of a run; its arrays are memory of the bench itself. */
struct purge {
    const struct bench *bench;
    struct node_allocator *allocator;
    double *values; /* of a timed run */
    struct sample *samples;
    uint32_t *sorted; /* ticks, by size */
    void **blocks;    /* alive */
    uint16_t *sizes;  /* of those */
    size_t live;
    uint64_t live_bytes;
    struct memory_watch *watch; /* NULL: the run is timed */
    struct prng prng;
    uint64_t free_ticks;
    uint64_t frees;
};

static long involuntary_switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

/* Drop the longest samples of a batch, one per interruption. Returns how many. */
static size_t drop_longest(struct sample *samples, size_t count, long interruptions)
{
    size_t dropped = 0;
    for (; dropped < count && (long)dropped < interruptions; dropped++) {
        struct sample *longest = samples;
        for (size_t i = 1; i < count; i++) {
            longest = samples[i].ticks > longest->ticks ? &samples[i] : longest;
        }
        *longest = (struct sample){0};
    }
    return dropped;
}

/* Sort the samples by size and fill the values of each. */
static void summarize(const struct purge *purge, uint64_t count)
{
    static const double shares[] = {0.5, 0.99, 1};
    uint64_t ends[SIZE_MAX_BYTES + 2] = {0}; /* of each size in sorted; first, of the one before */
    double *values = purge->values + SIZES;
    double all = 0;
    for (uint64_t i = 0; i < count; i++) {
        ends[purge->samples[i].size + 1]++;
    }
    for (size_t size = 1; size <= SIZE_MAX_BYTES; size++) {
        ends[size] += ends[size - 1];
    }
    for (uint64_t i = 0; i < count; i++) {
        purge->sorted[ends[purge->samples[i].size]++] = purge->samples[i].ticks;
    }
    pw_assert(ends[SIZE_MAX_BYTES] == count);
    for (size_t size = 1; size <= SIZE_MAX_BYTES; size++, values += PER_SIZE) {
        uint32_t *ticks = purge->sorted + ends[size - 1];
        size_t of_size = (size_t)(ends[size] - ends[size - 1]);
        double sum = 0;
        for (size_t i = 0; i < of_size; i++) {
            sum += ticks[i];
        }
        all += sum;
        values[0] = of_size > 0 ? sum / (double)of_size : NAN;
        for (size_t i = 0; i < COUNT_OF(shares); i++) {
            values[1 + i] = of_size > 0 ? (double)ticks_quantile(ticks, of_size, shares[i]) : NAN;
        }
    }
    uint64_t kept = count - ends[0];
    purge->values[MEAN] = kept > 0 ? all / (double)kept : NAN;
}

static void free_one(struct purge *purge)
{
    size_t index = prng_below(&purge->prng, (uint32_t)purge->live);
    pw_assert(index < purge->live);
    timed_release(&purge->bench->clock, purge->allocator, purge->blocks[index], purge->sizes[index],
                  &purge->free_ticks);
    purge->frees++;
    purge->live_bytes -= purge->sizes[index];
    purge->live--;
    purge->blocks[index] = purge->blocks[purge->live];
    purge->sizes[index] = purge->sizes[purge->live];
}

/* One request, timed. False when it failed. */
static bool allocate_one(struct purge *purge, uint64_t number)
{
    size_t size = 1 + prng_below(&purge->prng, SIZE_MAX_BYTES);
    uint64_t ticks = 0;
    void *block = timed_allocate(&purge->bench->clock, purge->allocator, size, &ticks);
    if (block == NULL) {
        return false;
    }
    *(volatile char *)block = 1;
    purge->samples[number] = (struct sample){
        .ticks = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX, .size = (uint32_t)size};
    purge->blocks[purge->live] = block;
    purge->sizes[purge->live++] = (uint16_t)size;
    purge->values[CUMULATIVE_BYTES] += (double)size;
    purge->live_bytes += size;
    return true;
}

/* Read the memory held after a request, if it is due. */
static void look(struct purge *purge, uint64_t number)
{
    double live = (double)purge->live_bytes;
    if (purge->watch != NULL && memory_watch_is_due(purge->watch, number, live)) {
        memory_watch_look(purge->watch, number, live);
    }
}

/* All batches. False when a request failed. */
static bool run_batches(struct purge *purge)
{
    const struct purge_parameters *p = &purge->bench->parameters.purge;
    const struct timespec pause = {.tv_sec = (time_t)(p->pause_us / 1000000),
                                   .tv_nsec = (long)(p->pause_us % 1000000) * 1000};
    uint64_t next_purge = p->interval;
    uint64_t batch = 0;
    for (uint64_t done = 0; done < p->allocations; done += batch) {
        batch = p->batch < p->allocations - done ? p->batch : p->allocations - done;
        long switches = involuntary_switches();
        for (uint64_t i = 0; i < batch; i++) {
            if (!allocate_one(purge, done + i)) {
                return false;
            }
            if (--next_purge == 0 || purge->live == LIVE_MAX) {
                look(purge, done + i);
                size_t freed = (size_t)((double)purge->live * p->share);
                freed += freed == 0 && purge->live == LIVE_MAX; /* make room for the next */
                for (; freed > 0; freed--) {
                    free_one(purge);
                }
                /* about every interval: uniform from half of it to one and a half */
                next_purge = p->interval / 2 + 1 + prng_below(&purge->prng, (uint32_t)p->interval);
            }
        }
        purge->values[DROPPED] += (double)drop_longest(purge->samples + done, (size_t)batch,
                                                       involuntary_switches() - switches);
        if (p->pause_us > 0 && purge->watch == NULL) {
            nanosleep(&pause, NULL);
        }
    }
    return true;
}

/* Map the arrays of a run; false: there is not enough memory. */
static bool open_purge(struct purge *purge, const struct bench_run *run, double *values)
{
    const uint64_t allocations = run->bench->parameters.purge.allocations;
    *purge = (struct purge){
        .bench = run->bench,
        .values = values,
        .samples = bench_map(allocations * sizeof(*purge->samples)),
        .sorted = bench_map(allocations * sizeof(*purge->sorted)),
        .blocks = bench_map(LIVE_MAX * sizeof(*purge->blocks)),
        .sizes = bench_map(LIVE_MAX * sizeof(*purge->sizes)),
    };
    prng_start(&purge->prng, run->bench->seed);
    return purge->samples && purge->sorted && purge->blocks && purge->sizes;
}

static enum bench_status measure(const struct bench_run *run, double *values)
{
    const struct sched_param priority = {.sched_priority = 1};
    static struct node_heap heap;
    struct purge purge;
    if (!open_purge(&purge, run, values) || !bench_open_heap(&heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    values[REAL_TIME] = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    purge.allocator = heap.allocator;
    if (!run_batches(&purge)) {
        return bench_refused(heap.allocator);
    }
    values[FREE_MEAN] = purge.frees > 0 ? (double)purge.free_ticks / (double)purge.frees : NAN;
    summarize(&purge, run->bench->parameters.purge.allocations);
    return BENCH_DONE;
}

static enum bench_status measure_memory(const struct bench_run *run, double *values)
{
    static double timed[VALUES]; /* of no use here */
    static struct node_heap heap;
    struct memory_watch watch;
    struct purge purge;
    if (!open_purge(&purge, run, timed)) {
        return BENCH_FAILED;
    }
    /* what this program touches for the first time is not the allocator's */
    memset(timed, 1, sizeof(timed));
    if (!bench_open_heap(&heap, "null", NULL)) {
        return BENCH_FAILED;
    }
    node_heap_close(&heap);
    purge.watch = &watch;
    memory_watch_start(&watch, run->bench->parameters.purge.allocations, values);
    if (!bench_open_heap(&heap, run->specification, NULL)) {
        memory_watch_end(&watch, 0);
        return BENCH_FAILED;
    }
    purge.allocator = heap.allocator;
    const bool done = run_batches(&purge);
    memory_watch_end(&watch, (double)purge.live_bytes);
    if (!done) {
        return bench_refused(heap.allocator);
    }
    return memory_watch_is_possible(&watch) ? BENCH_DONE : BENCH_UNSEEN;
}

static void add_sizes(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"size_bytes", "size", 0},
                                                  {"mean_cycles", "mean", 1},
                                                  BENCH_SPREAD("spread_percent"),
                                                  {"median_cycles", "median", 1},
                                                  {"p99_cycles", "p99", 1},
                                                  {"maximum_cycles", "maximum", 1}};
    struct bench_table *table =
        bench_add_table(bench, "purge", columns, COUNT_OF(columns), "Cycles per request, by size");
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t size = 1; size <= SIZE_MAX_BYTES; size++) {
            bench_add_text(table, bench->cases[i].label);
            bench_add_number(table, (double)size);
            for (size_t value = 0; value < PER_SIZE; value++) {
                size_t at = SIZES + (size - 1) * PER_SIZE + value;
                bench_add_summary(table, bench_summary(samples, i, at), 1);
            }
        }
    }
}

static void add_summary(struct bench *bench, const struct bench_samples *samples,
                        const struct bench_samples *memory)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"mean_cycles", "mean cycles per request", 1},
        BENCH_SPREAD("spread_percent"),         {"free_mean_cycles", "mean cycles per free", 1},
        BENCH_SPREAD("free_spread_percent"),    {"cumulative_mib", "MiB in all", 0},
        {"live_now_kib", "live KiB now", 0},    {"live_peak_kib", "peak", 0},
        {"resident_kib", "resident KiB", 0},    {"dropped", "samples dropped", 0}};
    struct bench_table *table = bench_add_table(bench, "purge-summary", columns, COUNT_OF(columns),
                                                "All sizes together, and the memory");
    bool real_time = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        bench_add_text(table, bench->cases[i].label);
        bench_add_summary(table, bench_summary(samples, i, MEAN), 1);
        bench_add_summary(table, bench_summary(samples, i, FREE_MEAN), 1);
        bench_add_summary(table, bench_summary(samples, i, CUMULATIVE_BYTES), 1048576);
        bench_add_summary(table, bench_summary(memory, i, MEMORY_LIVE_END), 1024);
        bench_add_summary(table, bench_summary(memory, i, MEMORY_LIVE_PEAK), 1024);
        bench_add_summary(table, bench_summary(memory, i, MEMORY_HELD_END), 1024);
        bench_add_summary(table, bench_summary(samples, i, DROPPED), 1);
        real_time = real_time && bench_median(samples, i, REAL_TIME) > 0;
    }
    bench_note(bench, "Real-time priority was %s.",
               real_time ? "granted" : "not granted: samples with an interrupt in them remain");
}

static bool run_purge(struct bench *bench)
{
    static const char *const memory_tables[] = {"purge-memory", "purge-memory-times"};
    const struct purge_parameters *p = &bench->parameters.purge;
    pw_assert(p->interval <= LIVE_MAX / 4);
    const struct bench_samples *samples = bench_measure_all(bench, measure, NULL, VALUES);
    const struct bench_samples *memory =
        bench_measure_all(bench, measure_memory, NULL, MEMORY_VALUES);
    bench_about(bench,
                "%llu requests of 1 to 512 bytes (uniform, xoshiro256**, seed %llu) in batches of "
                "%llu with a pause of %llu us; about every %llu requests %.0f %% of the live "
                "blocks freed; each call timed; blocks' first byte written after the call",
                (unsigned long long)p->allocations, (unsigned long long)bench->seed,
                (unsigned long long)p->batch, (unsigned long long)p->pause_us,
                (unsigned long long)p->interval, 100 * p->share);
    add_summary(bench, samples, memory);
    bench_add_memory(bench, memory_tables, &memory, (const char *[]){"1 to 512"}, 1);
    add_sizes(bench, samples);
    return true;
}

const struct bench_experiment bench_purge = {
    .name = "purge",
    .summary = "millions of requests of 1 to 512 bytes, many freed now and then",
    .source = "the allocator benchmark of 2006",
    .published = "A picture: mean cycles for each size, one point per size.",
    .allocators = "malloc,lib:jemalloc,lib:mimalloc,lib:tcmalloc,pool,slab,first-fit,block",
    .default_runs = 3,
    .run = run_purge,
    .bodies = {measure, measure_memory},
};
