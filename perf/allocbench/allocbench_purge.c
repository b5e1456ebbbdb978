/*
 * allocbench_purge.c - the experiment "purge": millions of small blocks, now and then many freed.
 *
 * 1. Requests of uniform random sizes, 1 to 512 bytes, from a constant seed; each call timed.
 * 2. After about every 256th, a share of the live blocks, chosen at random, is freed.
 * 3. Batches of 250 requests with a pause between them, at real-time priority where permitted. When
 *    the kernel took the processor away k times during a batch, its k longest samples are dropped.
 * 4. All bookkeeping lies in memory mapped and touched beforehand, none from the allocator.
 * Result: mean, median, p99 and maximum of the cycles, for each size.
 * Source: the allocator benchmark of 2006.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "prng.h"
#include "timed_calls.h"
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SIZE_MAX_BYTES 512
#define LIVE_MAX       65536
#define BATCH_MAX      4096
#define PER_SIZE       4 /* values per size: mean, median, p99, maximum */

/* What is reported apart, before the values of the sizes. */
enum {
    CUMULATIVE_BYTES,
    LIVE_BYTES,
    LIVE_BYTES_MAX,
    RESIDENT_BYTES,
    DROPPED,
    FREE_MEAN, /* cycles */
    MEAN,      /* cycles per request, all sizes */
    REAL_TIME, /* 1: the priority was granted */
    SUMMARY_VALUES
};
#define VALUES (SUMMARY_VALUES + SIZE_MAX_BYTES * PER_SIZE)

struct sample {
    uint32_t ticks; /* UINT32_MAX: dropped */
    uint32_t size;
};

/* Memory of the bench itself. */
struct books {
    uint64_t allocations;
    struct sample *samples;
    uint32_t *sorted; /* ticks, by size */
    void **blocks;    /* alive */
    uint16_t *sizes;
};

static bool open_books(struct books *books, uint64_t allocations)
{
    books->allocations = allocations;
    books->samples = bench_map(allocations * sizeof(*books->samples), MAP_PRIVATE);
    books->sorted = bench_map(allocations * sizeof(*books->sorted), MAP_PRIVATE);
    books->blocks = bench_map(LIVE_MAX * sizeof(*books->blocks), MAP_PRIVATE);
    books->sizes = bench_map(LIVE_MAX * sizeof(*books->sizes), MAP_PRIVATE);
    return books->samples && books->sorted && books->blocks && books->sizes;
}

static uint64_t resident_bytes(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%*s %llu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static long involuntary_switches(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

/* Drop the longest samples of a batch, as many as there were interruptions. */
static uint64_t drop_longest(struct sample *samples, size_t count, long interruptions)
{
    uint64_t dropped = 0;
    for (; interruptions > 0 && dropped < count; interruptions--, dropped++) {
        struct sample *longest = NULL;
        for (size_t i = 0; i < count; i++) {
            if (samples[i].ticks != UINT32_MAX &&
                (longest == NULL || samples[i].ticks > longest->ticks)) {
                longest = &samples[i];
            }
        }
        if (longest == NULL) {
            break;
        }
        longest->ticks = UINT32_MAX;
    }
    return dropped;
}

/* Sort the samples by size and fill the values of each. */
static void summarize(const struct books *books, double *values)
{
    uint64_t starts[SIZE_MAX_BYTES + 2] = {0};
    double all = 0;
    uint64_t all_count = 0;
    for (uint64_t i = 0; i < books->allocations; i++) {
        starts[books->samples[i].size + 1] += books->samples[i].ticks != UINT32_MAX;
    }
    for (size_t size = 1; size <= SIZE_MAX_BYTES + 1; size++) {
        starts[size] += starts[size - 1];
    }
    uint64_t ends[SIZE_MAX_BYTES + 2];
    memcpy(ends, starts, sizeof(ends));
    for (uint64_t i = 0; i < books->allocations; i++) {
        const struct sample *sample = &books->samples[i];
        if (sample->ticks != UINT32_MAX) {
            books->sorted[ends[sample->size]++] = sample->ticks;
        }
    }
    for (size_t size = 1; size <= SIZE_MAX_BYTES; size++) {
        uint32_t *ticks = books->sorted + starts[size];
        size_t count = (size_t)(ends[size] - starts[size]);
        double *of_size = values + SUMMARY_VALUES + (size - 1) * PER_SIZE;
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += ticks[i];
        }
        all += sum;
        all_count += count;
        of_size[0] = count > 0 ? sum / (double)count : NAN;
        of_size[1] = count > 0 ? (double)samples_quantile(ticks, count, 0.5) : NAN;
        of_size[2] = count > 0 ? (double)samples_quantile(ticks, count, 0.99) : NAN;
        of_size[3] = count > 0 ? (double)samples_quantile(ticks, count, 1) : NAN;
    }
    values[MEAN] = all_count > 0 ? all / (double)all_count : NAN;
}

struct purge {
    const struct bench *bench;
    struct node_allocator *allocator;
    struct books books;
    struct prng prng;
    size_t live;
    uint64_t free_ticks;
    uint64_t frees;
};

static void free_one(struct purge *purge, size_t index, double *values)
{
    struct books *books = &purge->books;
    pw_assert(index < purge->live);
    timed_release(&purge->bench->clock, purge->allocator, books->blocks[index], books->sizes[index],
                  &purge->free_ticks);
    purge->frees++;
    values[LIVE_BYTES] -= books->sizes[index];
    purge->live--;
    books->blocks[index] = books->blocks[purge->live];
    books->sizes[index] = books->sizes[purge->live];
}

/* One request, timed. False when it failed. */
static bool allocate_one(struct purge *purge, uint64_t number, double *values)
{
    struct books *books = &purge->books;
    size_t size = 1 + prng_below(&purge->prng, SIZE_MAX_BYTES);
    uint64_t ticks = 0;
    void *block = timed_allocate(&purge->bench->clock, purge->allocator, size, &ticks);
    if (block == NULL) {
        return false;
    }
    *(volatile char *)block = 1;
    books->samples[number].ticks = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX - 1;
    books->samples[number].size = (uint32_t)size;
    books->blocks[purge->live] = block;
    books->sizes[purge->live++] = (uint16_t)size;
    values[CUMULATIVE_BYTES] += (double)size;
    values[LIVE_BYTES] += (double)size;
    values[LIVE_BYTES_MAX] = fmax(values[LIVE_BYTES_MAX], values[LIVE_BYTES]);
    return true;
}

static void pause_us(uint64_t microseconds)
{
    struct timespec pause = {.tv_sec = (time_t)(microseconds / 1000000),
                             .tv_nsec = (long)(microseconds % 1000000) * 1000};
    if (microseconds > 0) {
        nanosleep(&pause, NULL);
    }
}

/* All batches. False when a request failed. */
static bool run_batches(struct purge *purge, double *values)
{
    const struct bench_parameters *parameters = &purge->bench->parameters;
    uint64_t interval = parameters->purge_interval;
    uint64_t next_purge = interval;
    for (uint64_t done = 0; done < parameters->allocations;) {
        uint64_t batch = parameters->batch;
        batch = batch < parameters->allocations - done ? batch : parameters->allocations - done;
        long switches = involuntary_switches();
        for (uint64_t i = 0; i < batch; i++) {
            if (!allocate_one(purge, done + i, values)) {
                return false;
            }
            if (--next_purge == 0 || purge->live == LIVE_MAX) {
                size_t freed = (size_t)((double)purge->live * parameters->purge_share);
                while (freed-- > 0 || purge->live == LIVE_MAX) {
                    free_one(purge, prng_below(&purge->prng, (uint32_t)purge->live), values);
                }
                /* about every interval: uniform from half of it to one and a half */
                next_purge = interval / 2 + 1 + prng_below(&purge->prng, (uint32_t)interval);
            }
        }
        values[DROPPED] += (double)drop_longest(purge->books.samples + done, (size_t)batch,
                                                involuntary_switches() - switches);
        done += batch;
        pause_us(parameters->pause_us);
    }
    return true;
}

static enum bench_status measure(const struct bench_run *run, double *values, size_t count)
{
    struct purge purge = {.bench = run->bench};
    struct node_heap *heap = bench_map(sizeof(*heap), MAP_PRIVATE);
    (void)count;
    if (heap == NULL || !open_books(&purge.books, run->bench->parameters.allocations)) {
        return BENCH_FAILED;
    }
    uint64_t resident_before = resident_bytes();
    if (!bench_open_heap(heap, run->specification, NULL)) {
        return BENCH_FAILED;
    }
    struct sched_param priority = {.sched_priority = 1};
    values[REAL_TIME] = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    purge.allocator = heap->allocator;
    prng_start(&purge.prng, run->bench->seed);
    if (!run_batches(&purge, values)) {
        return BENCH_FULL;
    }
    uint64_t resident_after = resident_bytes();
    values[RESIDENT_BYTES] =
        resident_after > resident_before ? (double)(resident_after - resident_before) : 0;
    values[FREE_MEAN] = purge.frees > 0 ? (double)purge.free_ticks / (double)purge.frees : NAN;
    summarize(&purge.books, values);
    return BENCH_DONE;
}

static void add_sizes(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                  {"size_bytes", "size", 0},
                                                  {"mean_cycles", "mean", 1},
                                                  {"median_cycles", "median", 1},
                                                  {"p99_cycles", "p99", 1},
                                                  {"maximum_cycles", "maximum", 1}};
    struct bench_table *table =
        bench_add_table(bench, "purge", columns, COUNT_OF(columns), "Cycles per request, by size");
    table->data_only = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        for (size_t size = 1; size <= SIZE_MAX_BYTES; size++) {
            double row[1 + PER_SIZE] = {(double)size};
            for (size_t value = 0; value < PER_SIZE; value++) {
                size_t at = SUMMARY_VALUES + (size - 1) * PER_SIZE + value;
                row[1 + value] = bench_median(samples, i, at);
            }
            bench_add_row(table, bench->cases[i].label, row);
        }
    }
}

static void add_summary(struct bench *bench, const struct bench_samples *samples)
{
    static const struct bench_column columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"mean_cycles", "mean cycles per request", 1},
        {"spread_percent", "+-%", 1},           {"free_mean_cycles", "mean cycles per free", 1},
        {"cumulative_mib", "MiB in all", 0},    {"live_now_kib", "live KiB now", 0},
        {"live_peak_kib", "peak", 0},           {"resident_kib", "resident KiB", 0},
        {"dropped", "samples dropped", 0}};
    struct bench_table *table = bench_add_table(bench, "purge-summary", columns, COUNT_OF(columns),
                                                "All sizes together, and the memory");
    bool real_time = true;
    for (size_t i = 0; i < bench->case_count; i++) {
        double median[SUMMARY_VALUES];
        for (size_t value = 0; value < SUMMARY_VALUES; value++) {
            median[value] = bench_median(samples, i, value);
        }
        bench_add_row(table, bench->cases[i].label,
                      (double[]){median[MEAN], 100 * bench_summary(samples, i, MEAN).spread,
                                 median[FREE_MEAN], median[CUMULATIVE_BYTES] / 1048576,
                                 median[LIVE_BYTES] / 1024, median[LIVE_BYTES_MAX] / 1024,
                                 median[RESIDENT_BYTES] / 1024, median[DROPPED]});
        real_time = real_time && median[REAL_TIME] > 0;
    }
    bench_note(bench, "Real-time priority was %s.",
               real_time ? "granted" : "not granted: samples with an interrupt in them remain");
}

static bool run_purge(struct bench *bench)
{
    const struct bench_parameters *p = &bench->parameters;
    pw_assert(p->purge_interval <= LIVE_MAX / 4);
    const struct bench_samples *samples = bench_measure_all(bench, measure, NULL, VALUES);
    if (samples == NULL) {
        return false;
    }
    bench_about(bench,
                "%llu requests of 1 to 512 bytes (uniform, xoshiro256**, seed %llu) in batches of "
                "%llu with a pause of %llu us; about every %llu requests %.0f %% of the live "
                "blocks freed; each call timed; blocks' first byte written after the call",
                (unsigned long long)p->allocations, (unsigned long long)bench->seed,
                (unsigned long long)p->batch, (unsigned long long)p->pause_us,
                (unsigned long long)p->purge_interval, 100 * p->purge_share);
    add_summary(bench, samples);
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
};
