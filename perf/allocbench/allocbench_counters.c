/*
 * allocbench_counters.c - the counters of bfs, around the chosen searches of "pointer-wars".
 */
#include "allocbench_counters.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "perf/counters/kernel_calls.h"
#include "perf/counters/metrics.h"
#include "perf/counters/software_counters.h"
#include <math.h>
#include <string.h>

/* One set: opened by the parent for its names, and by each process that measures. */
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

/* Whether a metric has a column: amounts per node have none, for bfs shows them. */
static bool is_shown(size_t metric)
{
    return metric < BENCH_COUNTER_METRICS && state.metrics.list[metric].kind != METRIC_PER_NODE;
}

void bench_counters_values(uint64_t visited, double *values)
{
    const double counts[COUNT_OF(software)] = {
        (double)(state.between.faults_minor + state.between.faults_major),
        (double)(state.between.switches_voluntary + state.between.switches_involuntary),
        state.kernel.counted ? (double)state.kernel.calls[KERNEL_CALL_BRK] : NAN,
        state.kernel.counted ? (double)state.kernel.calls[KERNEL_CALL_MMAP] : NAN,
    };
    size_t count = 0;
    for (size_t i = 0; i < state.metrics.count; i++) {
        if (is_shown(i)) {
            struct counter_reading reading =
                metric_value(&state.metrics.list[i], state.readings, visited);
            values[count++] = counter_has_value(&reading) ? reading.value : NAN;
        }
    }
    pw_assert(count + COUNT_OF(counts) <= BENCH_COUNTER_VALUES);
    memcpy(values + count, counts, sizeof(counts));
}

void bench_counters_columns(const char *specification, struct bench_table *table, char *footnote,
                            size_t footnote_size)
{
    static const struct counter_offers offers = {.simulate = "bfs --sim=host",
                                                 .passes = "in runs of their own"};
    struct event_error why;
    footnote[0] = '\0';
    if (open_into(&state.metrics, &state.counters, specification, &why)) {
        for (size_t i = 0; i < state.counters.event_count; i++) {
            state.readings[i].status = state.counters.events[i].status;
            state.readings[i].why = state.counters.events[i].why;
        }
        metrics_footnote(&state.counters, &state.metrics, state.readings, &offers, footnote,
                         footnote_size);
        counters_close(&state.counters);
    }
    for (size_t i = 0; i < state.metrics.count; i++) {
        const struct metric *metric = &state.metrics.list[i];
        if (is_shown(i)) {
            bench_add_column(table, metric->name, metric->title,
                             metric->kind == METRIC_COUNT ? 0 : 4);
        }
    }
    for (size_t i = 0; i < COUNT_OF(software); i++) {
        bench_add_column(table, software[i].name, software[i].title, 0);
    }
}
