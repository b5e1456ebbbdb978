/*
 * allocbench_counters.c - the counters of bfs, around the chosen searches of "pointer-wars".
 */
#include "allocbench_counters.h"
#include "perf/counters/kernel_calls.h"
#include "perf/counters/metrics.h"
#include "perf/counters/software_counters.h"
#include <math.h>
#include <stdlib.h>

/* Of the process that measures: one set, opened once. */
static struct {
    struct metrics metrics;
    struct counters counters;
    struct counter_reading readings[COUNTER_EVENTS_MAX];
    struct software_counters before, between;
    struct kernel_calls kernel;
} state;

static const struct {
    const char *name, *title;
} software[BENCH_COUNTER_VALUES - BENCH_COUNTER_METRICS] = {
    {"page_faults", "page faults"},
    {"context_switches", "context switches"},
    {"brk_calls", "brk calls"},
    {"mmap_calls", "mmap calls"},
};

#define SOFTWARE_COUNT (sizeof(software) / sizeof(software[0]))

static void begin(void *context)
{
    (void)context;
    software_counters_read(&state.before);
    counters_begin(&state.counters);
    kernel_calls_begin();
}

static void end(void *context)
{
    struct software_counters after;
    (void)context;
    kernel_calls_end(&state.kernel);
    counters_end(&state.counters, state.readings);
    software_counters_read(&after);
    state.between = software_counters_between(&state.before, &after);
}

const struct search_region *bench_counters_region(void)
{
    static const struct search_region region = {begin, end, NULL};
    return &region;
}

/* Open into metrics and counters; false with error set for a name that does not exist. */
static bool open_into(struct metrics *metrics, struct counters *counters, const char *specification,
                      struct event_error *error)
{
    struct pmu_host host;
    pmu_host_read(&host, "");
    return metrics_open(metrics, counters, specification, pmu_kernel(), &host, error);
}

bool bench_counters_check(const char *specification, struct command_error *error)
{
    static struct metrics metrics;
    static struct counters counters;
    struct event_error why;
    if (!open_into(&metrics, &counters, specification, &why)) {
        return command_fail(error, "%s", why.message);
    }
    counters_close(&counters);
    return metrics.count <= BENCH_COUNTER_METRICS ||
           command_fail(error, "at most %d metrics here", BENCH_COUNTER_METRICS);
}

bool bench_counters_open(const char *specification)
{
    struct event_error why;
    kernel_calls_arm(); /* where it cannot be, the calls stay unknown */
    return open_into(&state.metrics, &state.counters, specification, &why);
}

void bench_counters_values(uint64_t visited, double *values)
{
    const double counts[SOFTWARE_COUNT] = {
        (double)(state.between.faults_minor + state.between.faults_major),
        (double)(state.between.switches_voluntary + state.between.switches_involuntary),
        state.kernel.counted ? (double)state.kernel.calls[KERNEL_CALL_BRK] : NAN,
        state.kernel.counted ? (double)state.kernel.calls[KERNEL_CALL_MMAP] : NAN,
    };
    for (size_t i = 0; i < BENCH_COUNTER_METRICS; i++) {
        values[i] = NAN;
        if (i < state.metrics.count) {
            struct counter_reading reading =
                metric_value(&state.metrics.list[i], state.readings, visited);
            values[i] = counter_has_value(&reading) ? reading.value : NAN;
        }
    }
    for (size_t i = 0; i < SOFTWARE_COUNT; i++) {
        values[BENCH_COUNTER_METRICS + i] = counts[i];
    }
}

/* The metrics of a specification, for their names. */
static const struct metrics *names_of(const char *specification)
{
    static struct metrics metrics;
    static struct counters counters;
    struct event_error why;
    if (open_into(&metrics, &counters, specification, &why)) {
        counters_close(&counters);
    } else {
        metrics.count = 0;
    }
    return &metrics;
}

void bench_counters_columns(const char *specification, struct bench_table *table)
{
    const struct metrics *metrics = names_of(specification);
    for (size_t i = 0; i < metrics->count && i < BENCH_COUNTER_METRICS; i++) {
        if (metrics->list[i].kind == METRIC_PER_NODE) {
            continue; /* bfs has them; here the table is wide enough */
        }
        bench_table_column(table, metrics->list[i].name, metrics->list[i].title);
    }
    for (size_t i = 0; i < SOFTWARE_COUNT; i++) {
        bench_table_column(table, software[i].name, software[i].title);
    }
}

void bench_counters_cells(const char *specification, struct bench_table *table,
                          const double *values)
{
    const struct metrics *metrics = names_of(specification);
    for (size_t i = 0; i < metrics->count && i < BENCH_COUNTER_METRICS; i++) {
        if (metrics->list[i].kind == METRIC_PER_NODE) {
            continue;
        }
        bench_table_number(table, values[i], metrics->list[i].kind == METRIC_COUNT ? 0 : 4);
    }
    for (size_t i = 0; i < SOFTWARE_COUNT; i++) {
        bench_table_number(table, values[BENCH_COUNTER_METRICS + i], 0);
    }
}

const char *bench_counters_footnote(const char *specification, char *out, size_t out_size)
{
    static const struct counter_offers offers = {.simulate = "bfs --sim=host",
                                                 .passes = "in runs of their own"};
    static struct metrics metrics;
    static struct counters counters;
    struct counter_reading readings[COUNTER_EVENTS_MAX] = {0};
    struct event_error why;
    out[0] = '\0';
    if (open_into(&metrics, &counters, specification, &why)) {
        for (size_t i = 0; i < counters.event_count; i++) {
            readings[i].status = counters.events[i].status;
            readings[i].why = counters.events[i].why;
        }
        metrics_footnote(&counters, &metrics, readings, &offers, out, out_size);
        counters_close(&counters);
    }
    return out;
}
