/*
 * bench_memory.c - the tables of peak fragmentation, and of memory over time.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "perf/traffic/memory_watch.h"
#include <math.h>

static void add_peaks(struct bench_table *table, const char *allocator, const char *sizes,
                      const struct bench_samples *samples, size_t one)
{
    bench_add_text(table, allocator);
    bench_add_text(table, sizes);
    bench_add_summary(table, bench_summary(samples, one, MEMORY_LIVE_PEAK), 1024);
    bench_add_summary(table, bench_summary(samples, one, MEMORY_HELD_PEAK), 1024);
    bench_add_summary(table, bench_summary(samples, one, MEMORY_FRAGMENTATION), 1);
}

/* A row per moment at which the memory was read. */
static void add_times(struct bench_table *table, const char *allocator, const char *sizes,
                      const struct bench_samples *samples, size_t one)
{
    for (size_t k = 0; k < MEMORY_TIMES; k++) {
        double held = bench_median(samples, one, MEMORY_HELD + k);
        if (!isnan(held)) {
            bench_add_text(table, allocator);
            bench_add_row(table, sizes,
                          (double[]){bench_median(samples, one, MEMORY_STEPS + k),
                                     bench_median(samples, one, MEMORY_LIVE + k) / 1024,
                                     held / 1024});
        }
    }
}

void bench_add_memory(struct bench *bench, const char *const tables[2],
                      const struct bench_samples *const *samples, const char *const *sizes,
                      size_t count)
{
    static const struct bench_column peak_columns[] = {
        {"allocator", "allocator", BENCH_TEXT}, {"sizes", "sizes", BENCH_TEXT},
        {"live_peak_kib", "live KiB", 0},       {"held_peak_kib", "held KiB", 0},
        {"fragmentation", "held per live", 2},  BENCH_SPREAD("fragmentation_spread_percent")};
    static const struct bench_column time_columns[] = {{"allocator", "allocator", BENCH_TEXT},
                                                       {"sizes", "sizes", BENCH_TEXT},
                                                       {"requests", "requests", 0},
                                                       {"live_kib", "live KiB", 0},
                                                       {"held_kib", "held KiB", 0}};
    struct bench_table *peaks =
        bench_add_table(bench, tables[0], peak_columns, COUNT_OF(peak_columns),
                        "Peak fragmentation: the most memory held over the most alive");
    struct bench_table *times = bench_add_table(bench, tables[1], time_columns,
                                                COUNT_OF(time_columns), "Memory alive and held");
    times->data_only = true;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < bench->case_count; i++) {
            add_peaks(peaks, bench->cases[i].label, sizes[k], samples[k], i);
            add_times(times, bench->cases[i].label, sizes[k], samples[k], i);
        }
    }
}
