/*
 * counter_columns.c - how the counters appear in the report: columns of the table of searches, and
 * a section of the summary with a footnote.
 *
 * In CSV a metric is a column; JSON has its status beside it. Text has the counters in a search's
 * block, and in its line when they were asked for by name.
 */
#include "bfs/run/search_counters.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define RATE_DIGITS     6
#define STATUS_SUFFIX   "_status"

/* The names of the status columns; static because a column keeps a pointer. */
static char status_names[METRICS_MAX][sizeof(((struct metric *)NULL)->name) + 8];

static bool has_status(const struct metric *metric)
{
    return metric->kind != METRIC_PER_NODE; /* that of its count */
}

/* "auto" on a machine without counters: one line in text instead of a table of dashes. */
static bool silent(const struct search_counters *counters)
{
    return !search_counters_simulated(counters) && counters->metrics.automatic &&
           counters_open_count(&counters->counters) == 0;
}

static struct report_value number(const struct metric *metric, const struct counter_reading *value)
{
    static const double power = 1e6;
    if (!counter_has_value(value)) {
        return report_unknown();
    }
    return metric->kind == METRIC_COUNT
               ? report_integer((uint64_t)llround(value->value))
               : report_decimal((uint64_t)llround(value->value * power), RATE_DIGITS);
}

/* What every run has, after the metrics. */
static const struct report_column software_columns[] = {
    {.name = "counter_status"},
    {.name = "counter_share"},
    {.name = "task_clock_seconds", .label = "processor time [s]"},
    {.name = "faults_minor", .label = "page faults, minor"},
    {.name = "faults_major", .label = "page faults, major"},
    {.name = "switches_voluntary", .label = "context switches, voluntary"},
    {.name = "switches_involuntary", .label = "context switches, involuntary"},
    {.name = "brk_calls", .label = "brk calls"},
    {.name = "mmap_calls", .label = "mmap calls"},
    {.name = "munmap_calls", .label = "munmap calls"},
    {.name = "madvise_calls", .label = "madvise calls"},
    {.name = "disturbed", .label = NULL},
};

size_t search_counters_columns(const struct search_counters *counters,
                               struct report_column *columns)
{
    const struct metrics *metrics = &counters->metrics;
    size_t count = 0;
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = &metrics->list[i];
        bool in_line = !metrics->automatic && metric->kind != METRIC_PER_NODE;
        columns[count++] = (struct report_column){
            .name = metric->name,
            .label = silent(counters) ? NULL : metric->title,
            .title = in_line ? metric->heading : NULL,
            .width = metric->kind == METRIC_COUNT ? 11 : 8,
            .digits = metric->kind == METRIC_COUNT ? 0 : 4,
        };
        if (has_status(metric)) {
            snprintf(status_names[i], sizeof(status_names[i]), "%s" STATUS_SUFFIX, metric->name);
            columns[count++] =
                (struct report_column){.name = status_names[i], .digits = REPORT_JSON_ONLY};
        }
    }
    memcpy(columns + count, software_columns, sizeof(software_columns));
    return count + COUNT_OF(software_columns);
}

/* The smallest share of the time that any event with a value was counted. */
static struct report_value counted_share(const struct search_counters *counters,
                                         const struct search_measures *measures)
{
    double share = 2;
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_reading *reading = &measures->readings[i];
        if (counter_has_value(reading) && reading->running < share) {
            share = reading->running;
        }
    }
    return share <= 1 ? report_decimal((uint64_t)llround(share * 1e6), RATE_DIGITS)
                      : report_unknown();
}

/* The least exact status of the events that have a value; where none has, of all. */
static struct report_value overall_status(const struct search_counters *counters,
                                          const struct search_measures *measures)
{
    const struct counter_reading *worst = NULL;
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_reading *reading = &measures->readings[i];
        bool better = worst != NULL && counter_has_value(worst) != counter_has_value(reading)
                          ? counter_has_value(reading)
                          : worst == NULL || reading->status > worst->status;
        worst = better ? reading : worst;
    }
    return worst != NULL ? report_text(counter_status_name(worst->status)) : report_unknown();
}

static struct report_value software(const struct search_measures *measures, uint64_t value)
{
    return measures->has_accounts ? report_integer(value) : report_unknown();
}

static struct report_value kernel(const struct search_measures *measures, enum kernel_call call)
{
    return measures->kernel.counted ? report_integer(measures->kernel.calls[call])
                                    : report_unknown();
}

size_t search_counters_values(const struct search_counters *counters, struct report_value *values)
{
    const struct search_measures *now = &counters->now;
    size_t count = 0;
    for (size_t i = 0; i < counters->metrics.count; i++) {
        const struct metric *metric = &counters->metrics.list[i];
        struct counter_reading value = metric_value(metric, now->readings, now->visited);
        values[count++] = number(metric, &value);
        if (has_status(metric)) {
            values[count++] = report_text(counter_status_name(value.status));
        }
    }
    values[count++] = overall_status(counters, now);
    values[count++] = counted_share(counters, now);
    values[count++] =
        now->has_accounts ? report_seconds(now->software.task_clock_ns) : report_unknown();
    values[count++] = software(now, now->software.faults_minor);
    values[count++] = software(now, now->software.faults_major);
    values[count++] = software(now, now->software.switches_voluntary);
    values[count++] = software(now, now->software.switches_involuntary);
    for (int call = 0; call < KERNEL_CALL_COUNT; call++) {
        values[count++] = kernel(now, (enum kernel_call)call);
    }
    values[count++] = software(now, search_counters_disturbed(counters));
    return count;
}

/* The fields that say what stands behind the metrics: JSON alone shows them. */
static size_t describe_event(const struct counter_event *event, const struct counter_reading *total,
                             char names[7][EVENT_NAME_BYTES + 32], const char *key,
                             struct report_field *fields)
{
    static const char *const members[] = {"event",  "code", "stage",  "note",
                                          "status", "why",  "running"};
    static char codes[COUNTER_EVENTS_MAX][32];
    static size_t next_code;
    char *code = codes[next_code++ % COUNTER_EVENTS_MAX];
    bool opened = event->status == COUNTER_EXACT;
    snprintf(code, sizeof(codes[0]), "%u:0x%llx", event->event.code.type,
             (unsigned long long)event->event.code.config);
    const struct report_value values[] = {
        report_text(event->event.name),
        report_text(opened ? code : NULL),
        report_text(opened ? event_stage_name(event->event.stage) : NULL),
        report_text(event->event.note),
        report_text(counter_status_name(total->status)),
        report_text(total->why),
        counter_has_value(total) ? report_decimal((uint64_t)llround(total->running * 1e6), 6)
                                 : report_unknown(),
    };
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        snprintf(names[i], sizeof(names[i]), "%s.%s", key, members[i]);
        fields[i] = (struct report_field){names[i], NULL, values[i]};
    }
    return COUNT_OF(members);
}

/* JSON: which events were counted, each under the name of its role or its own. */
static void write_events(const struct search_counters *counters, struct report *report)
{
    static char names[COUNTER_EVENTS_MAX][7][EVENT_NAME_BYTES + 32];
    static struct report_field fields[COUNTER_EVENTS_MAX * 7];
    size_t count = 0;
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_event *event = &counters->counters.events[i];
        char key[32];
        snprintf(key, sizeof(key), "event%zu", i + 1);
        count += describe_event(event, &counters->total.readings[i], names[i],
                                event->role != EVENT_NO_ROLE ? event_role_name(event->role) : key,
                                fields + count);
    }
    report_section(report, "counter_events", NULL, fields, count);
}

/* What stands under a simulated table: by what, with which caches, and what is missing. */
static void describe_simulation(const struct search_counters *counters, char *note, size_t size)
{
    const struct cache_geometry *caches = &counters->simulation.geometry;
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    snprintf(note, size,
             "by Callgrind, caches (%s): L1I %s; L1D %s; L2 %s; cold before the first search; no "
             "prefetching, no TLB, no cycles; nothing here was timed",
             caches->name, cache_describe(&caches->l1i, l1i), cache_describe(&caches->l1d, l1d),
             cache_describe(&caches->l2, l2));
}

void search_counters_summary(const struct search_counters *counters, struct report *report)
{
    static struct report_field fields[METRICS_MAX + 32];
    static char note[640];
    const struct search_measures *total = &counters->total;
    const struct software_counters *sums = &total->software;
    size_t count = 0;
    for (size_t i = 0; i < counters->metrics.count; i++) {
        const struct metric *metric = &counters->metrics.list[i];
        struct counter_reading value = metric_value(metric, total->readings, total->visited);
        fields[count++] = (struct report_field){
            metric->name, silent(counters) ? NULL : metric->title, number(metric, &value)};
    }
    struct report_value share = counted_share(counters, total);
    bool simulated = search_counters_simulated(counters);
    fields[count++] = (struct report_field){
        "counter_share",
        share.kind != REPORT_UNKNOWN && !simulated ? "share of time counted" : NULL, share};
    fields[count++] = (struct report_field){
        "task_clock_seconds", "processor time [s]",
        total->has_accounts ? report_seconds(sums->task_clock_ns) : report_unknown()};
    const struct report_field rest[] = {
        {"faults_minor", "page faults, minor", software(total, sums->faults_minor)},
        {"faults_major", "page faults, major", software(total, sums->faults_major)},
        {"switches_voluntary", "context switches, voluntary",
         software(total, sums->switches_voluntary)},
        {"switches_involuntary", "context switches, involuntary",
         software(total, sums->switches_involuntary)},
        {"searches_disturbed", "searches disturbed (*)", software(total, counters->disturbed)},
        {"brk_calls", "brk calls", kernel(total, KERNEL_CALL_BRK)},
        {"mmap_calls", "mmap calls", kernel(total, KERNEL_CALL_MMAP)},
        {"munmap_calls", "munmap calls", kernel(total, KERNEL_CALL_MUNMAP)},
        {"madvise_calls", "madvise calls", kernel(total, KERNEL_CALL_MADVISE)},
        {"kernel_calls_note", NULL, report_text(total->kernel.counted ? NULL : total->kernel.why)},
    };
    memcpy(fields + count, rest, sizeof(rest));
    count += COUNT_OF(rest);
    if (simulated) {
        describe_simulation(counters, note, sizeof(note));
    } else {
        metrics_footnote(&counters->counters, &counters->metrics, total->readings, note,
                         sizeof(note));
    }
    fields[count++] = (struct report_field){"note",
                                            note[0] == '\0' ? NULL
                                            : simulated     ? "simulated"
                                                            : "-",
                                            report_text(note[0] != '\0' ? note : NULL)};
    report_section(report, "counters",
                   simulated ? "\nCounters (simulated, of the searches)"
                             : "\nCounters (of the searches, in user mode)",
                   fields, count);
    if (report->format == REPORT_FORMAT_JSON) {
        write_events(counters, report);
    }
}
