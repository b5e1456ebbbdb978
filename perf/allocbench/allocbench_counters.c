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
};

/* The counters that the user named, closed again: their names, and whether they are available. */
static struct region_counters named;

bool bench_counters_open(struct region_counters *counters, const char *specification,
                         struct command_error *error)
{
    struct command_error why;
    return region_counters_open(counters, specification, false, &why) ||
           command_fail(error, "--counters: %s", why.message);
}

/* True if a metric has a column. Amounts per node have none: bfs shows them. */
static bool is_shown(const struct metric *metric)
{
    return metric->kind != METRIC_PER_NODE;
}

void bench_counters_values(const struct region_counters *counters, double *values)
{
    const struct region_measures *now = &counters->now;
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
}

bool bench_counters_check(const char *specification, struct command_error *error)
{
    bool is_legal = bench_counters_open(&named, specification, error);
    region_counters_close(&named);
    return is_legal;
}

const char *bench_counters_columns(struct bench_table *table)
{
    static const struct counter_offers offers = {.simulate = "--sim=host",
                                                 .passes = "in separate runs"};
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
