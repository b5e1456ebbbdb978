/*
 * fake_counters.h - counters over the fake PMU, for the suites of counters/: a test sets what the
 * fake counts, opens metrics, counts a region and looks at values.
 */
#pragma once

#include "counters/metrics.h"
#include "fake_pmu.h"
#include "suite.h"

static struct fake_pmu fake;
static struct pmu pmu;
static struct pmu_host host;
static struct counters counters;
static struct metrics metrics;
static struct command_error error;
static struct counter_reading readings[COUNTER_EVENTS_MAX];

static inline void set_up(void)
{
    memset(&fake, 0, sizeof(fake));
    fake.enabled_ns = 1000;
    fake.running_ns = 1000;
    pmu = fake_pmu(&fake);
    host = fake_host();
}

static inline void tear_down(void)
{
    counters_close(&counters);
    ck_assert_uint_eq(fake.opened, fake.closed);
}

static inline void open_metrics(const char *specification)
{
    bool ok = metrics_open(&metrics, &counters, specification, &pmu, &host, &error);
    ck_assert_msg(ok, "%s", error.message);
    counters_preset(&counters, readings);
}

static inline void count_a_region(void)
{
    counters_begin(&counters);
    counters_end(&counters, readings);
}

static inline const struct metric *metric_named(const char *name)
{
    for (size_t i = 0; i < metrics.count; i++) {
        if (strcmp(metrics.list[i].name, name) == 0) {
            return &metrics.list[i];
        }
    }
    ck_abort_msg("no metric %s", name);
    return NULL;
}

static inline struct counter_reading value_of(const char *name)
{
    return metric_value(metric_named(name), readings, 10);
}

/* True if both events of every ratio are in one group. */
static inline void check_ratios_in_one_group(void)
{
    for (size_t i = 0; i < metrics.count; i++) {
        const struct metric *metric = &metrics.list[i];
        if (metric->kind == METRIC_HIT_RATE || metric->kind == METRIC_RATIO) {
            ck_assert_uint_eq(counters.events[metric->a].group, counters.events[metric->b].group);
        }
    }
}
