/*
 * allocbench_counters.c - the counters of bfs, around the chosen searches of "pointer-wars".
 */
#include "allocbench_counters.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <math.h>

static const struct bench_column software[BENCH_COUNTER_VALUES - METRICS_MAX] = {
    {"page_faults", "faults", 0},
    {"context_switches", "switches", 0},
    {"brk_calls", "brk", 0},
    {"mmap_calls", "mmap", 0},
};

/* The counters that the user named, closed again: their names, and whether they can be had. */
static struct search_counters named;

bool bench_counters_open(struct search_counters *counters, const char *specification,
                         struct command_error *error)
{
    static struct counter_options options; /* as long as the counters */
    bool usage;
    options.specification = specification;
    return search_counters_open(counters, &options, error, &usage);
}

/* Whether a metric has a column: amounts per node have none, for bfs shows them. */
static bool is_shown(const struct metric *metric)
{
    return metric->kind != METRIC_PER_NODE;
}

void bench_counters_values(const struct search_counters *counters, double *values)
{
    const struct search_measures *now = &counters->now;
    const struct software_counters *kernel = &now->software;
    double *end = values + BENCH_COUNTER_VALUES;
    for (size_t i = 0; i < counters->metrics.count; i++) {
        const struct metric *metric = &counters->metrics.list[i];
        if (is_shown(metric)) {
            struct counter_reading reading = metric_value(metric, now->readings, now->visited);
            *values++ = counter_has_value(&reading) ? reading.value : NAN;
        }
    }
    pw_assert(values + COUNT_OF(software) <= end);
    *values++ = (double)(kernel->faults_minor + kernel->faults_major);
    *values++ = (double)(kernel->switches_voluntary + kernel->switches_involuntary);
    *values++ = now->kernel.counted ? (double)now->kernel.calls[KERNEL_CALL_BRK] : NAN;
    *values++ = now->kernel.counted ? (double)now->kernel.calls[KERNEL_CALL_MMAP] : NAN;
}

bool bench_counters_check(const char *specification, struct command_error *error)
{
    bool is_legal = bench_counters_open(&named, specification, error);
    search_counters_close(&named);
    return is_legal;
}

const char *bench_counters_columns(struct bench_table *table)
{
    static const struct counter_offers offers = {.simulate = "--sim=host",
                                                 .passes = "in runs of their own"};
    struct counter_reading readings[COUNTER_EVENTS_MAX] = {0};
    static char footnote[400];
    for (size_t i = 0; i < named.counters.event_count; i++) {
        readings[i].status = named.counters.events[i].status;
        readings[i].why = named.counters.events[i].why;
    }
    for (size_t i = 0; i < named.metrics.count; i++) {
        const struct metric *metric = &named.metrics.list[i];
        if (is_shown(metric)) {
            bench_add_column(table, metric->name, metric->title,
                             metric->kind == METRIC_COUNT ? 0 : 4);
        }
    }
    for (size_t i = 0; i < COUNT_OF(software); i++) {
        bench_add_column(table, software[i].name, software[i].head, 0);
    }
    return metrics_footnote(&named.counters, &named.metrics, readings, &offers, footnote,
                            sizeof(footnote));
}
