/*
 * counter_report.c - see counter_report.h.
 *
 * In CSV a metric is a column; JSON has its status beside it. Text shows the counters in the block
 * of a search, and in its line when they were asked for by name.
 */
#include "counter_report.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdio.h>

#define RATE_DIGITS 6

const struct counter_offers counter_report_offers = {
    .count = "--counters=pointer-wars",
    .passes = "--passes",
    .simulate = "--sim=host",
};

/* "auto" on a machine without counters: one line in text instead of a table of dashes, and in JSON
 * the note alone. */
static bool silent(const struct region_counters *counters)
{
    return !region_counters_simulated(counters) && counters->metrics.automatic &&
           counters_open_count(&counters->counters) == 0;
}

/* True if some counter is counted, or was asked for by name. */
static bool has_metrics(const struct region_counters *counters)
{
    return counters->metrics.count > 0 && !silent(counters);
}

/* Why there are no counters, for the single line of the section in that case. */
static const char *absence(const struct region_counters *counters)
{
    const struct counters *all = &counters->counters;
    enum counter_status status = all->event_count > 0 ? all->events[0].status : COUNTER_EXACT;
    return status == COUNTER_NO_PERMISSION ? "the kernel refuses them to this process"
           : all->host.is_virtual && !all->host.has_pmu
               ? "this virtual machine has no performance counters"
               : "this machine has no counters that bfs can use";
}

static struct report_value number(const struct metric *metric, const struct counter_reading *value)
{
    if (!counter_has_value(value)) {
        return report_unknown();
    }
    return metric->kind == METRIC_COUNT      ? report_integer((uint64_t)llround(value->value))
           : metric->kind == METRIC_HIT_RATE ? report_share(value->value)
                                             : report_real(value->value, RATE_DIGITS);
}

/* The smallest share of the time that any event with a value was counted. */
static struct report_value counted_share(const struct region_counters *counters,
                                         const struct region_measures *measures)
{
    double share = 2;
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_reading *reading = &measures->readings[i];
        if (counter_has_value(reading) && reading->running < share) {
            share = reading->running;
        }
    }
    return share <= 1 ? report_share(share) : report_unknown();
}

/* The least exact status of the events with a value; if no event has a value, of all events. */
static struct report_value overall_status(const struct region_counters *counters,
                                          const struct region_measures *measures)
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

/* What every run has beside the metrics: the kernel's accounts. */
#define ACCOUNTS 5
static const struct {
    const char *name, *label;
} accounts[ACCOUNTS] = {
    {"task_clock_seconds", "processor time"},
    {"faults_minor", "page faults, minor"},
    {"faults_major", "page faults, major"},
    {"switches_voluntary", "context switches, voluntary"},
    {"switches_involuntary", "context switches, involuntary"},
};

static struct report_value account(const struct region_counters *counters,
                                   const struct region_measures *measures, size_t i)
{
    const struct software_counters *software = &measures->software;
    const struct report_value values[ACCOUNTS] = {
        report_seconds(software->task_clock_ns), report_integer(software->faults_minor),
        report_integer(software->faults_major), report_integer(software->switches_voluntary),
        report_integer(software->switches_involuntary)};
    return report_if(region_counters_have_accounts(counters, measures), values[i]);
}

/* The metrics of the last search, with their states. Returns how many cells were added. */
static size_t metric_cells(const struct region_counters *counters, struct report_cell *cells)
{
    /* The names of the status columns; static because a cell keeps a pointer. */
    static char status_names[METRICS_MAX][sizeof(((struct metric *)NULL)->name) + 8];
    const struct metrics *metrics = &counters->metrics;
    const struct region_measures *now = &counters->now;
    size_t count = 0;
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = &metrics->list[i];
        bool in_line = !metrics->automatic && metric->kind != METRIC_PER_NODE;
        bool is_count = metric->kind == METRIC_COUNT;
        bool is_open = counters->counters.events[metric->a].descriptor >= 0 ||
                       region_counters_simulated(counters);
        in_line = in_line && is_open; /* else every row has a dash */
        struct counter_reading value = metric_value(metric, now->readings, now->visited);
        cells[count++] = (struct report_cell){{metric->name, in_line ? metric->heading : NULL,
                                               metric->title, is_count ? 11 : 8, is_count ? 0 : 4},
                                              number(metric, &value)};
        if (metric->kind != METRIC_PER_NODE) { /* it shares the status of its count */
            snprintf(status_names[i], sizeof(status_names[i]), "%s_status", metric->name);
            cells[count++] =
                (struct report_cell){{status_names[i], NULL, NULL, 0, REPORT_JSON_ONLY},
                                     report_text(counter_status_name(value.status))};
        }
    }
    cells[count++] = REPORT_DATA("counter_status", overall_status(counters, now));
    cells[count++] = REPORT_DATA("counter_share", counted_share(counters, now));
    return count;
}

size_t counter_report_cells(const struct region_counters *counters, bool is_alone,
                            struct report_cell *cells)
{
    const struct region_measures *now = &counters->now;
    const bool has_accounts = is_alone && !region_counters_simulated(counters);
    size_t count = has_metrics(counters) ? metric_cells(counters, cells) : 0;
    if (!has_accounts) {
        return count;
    }
    for (size_t i = 0; i < COUNT_OF(accounts); i++) {
        cells[count++] = (struct report_cell){{accounts[i].name, NULL, accounts[i].label, 0, 0},
                                              account(counters, now, i)};
    }
    cells[count++] =
        REPORT_DATA("disturbed", report_if(region_counters_have_accounts(counters, now),
                                           report_integer(region_counters_disturbed(counters))));
    pw_assert(count <= COUNTER_CELLS_MAX);
    return count;
}

#define EVENT_MEMBERS 7

/* JSON: the events after the metrics, each under the name of its role or its own. */
static void write_events(const struct region_counters *counters, struct report *report)
{
    static const char *const members[EVENT_MEMBERS] = {"event",  "code", "stage",  "note",
                                                       "status", "why",  "running"};
    static char codes[COUNTER_EVENTS_MAX][32];
    static char names[COUNTER_EVENTS_MAX * EVENT_MEMBERS][EVENT_NAME_BYTES + 32];
    static struct report_field fields[COUNTER_EVENTS_MAX * EVENT_MEMBERS];
    size_t count = 0;
    for (size_t i = 0; has_metrics(counters) && i < counters->counters.event_count; i++) {
        const struct counter_event *counted = &counters->counters.events[i];
        const struct event *event = &counted->event;
        const struct counter_reading *total = &counters->total.readings[i];
        const bool opened = counted->status == COUNTER_EXACT;
        char key[32];
        snprintf(key, sizeof(key), "event%zu", i + 1);
        snprintf(codes[i], sizeof(codes[i]), "%u:0x%llx", event->code.type,
                 (unsigned long long)event->code.config);
        const struct report_value values[EVENT_MEMBERS] = {
            report_text(event->name),
            report_text(opened ? codes[i] : NULL),
            report_text(opened ? event_stage_name(event->stage) : NULL),
            report_text(event->note),
            report_text(counter_status_name(total->status)),
            report_text(total->why),
            report_if(counter_has_value(total), report_share(total->running)),
        };
        for (size_t m = 0; m < EVENT_MEMBERS; m++, count++) {
            snprintf(names[count], sizeof(names[count]), "%s.%s",
                     counted->role != EVENT_NO_ROLE ? event_role_name(counted->role) : key,
                     members[m]);
            fields[count] = (struct report_field){names[count], NULL, values[m]};
        }
    }
    report_section(report, "counter_events", NULL, fields, count);
}

/* The footnote of a simulated table: the simulator, the caches, and what is missing. */
static void describe_simulation(const struct region_counters *counters, char *note, size_t size)
{
    const struct cache_geometry *caches = &counters->simulation.geometry;
    char l1i[CACHE_TEXT_BYTES], l1d[CACHE_TEXT_BYTES], l2[CACHE_TEXT_BYTES];
    snprintf(note, size,
             "simulated by Callgrind, caches (%s): L1I %s; L1D %s; L2 %s; cold before the first "
             "search; no "
             "prefetching, no TLB, no cycles; nothing here was timed",
             caches->name, cache_describe(&caches->l1i, l1i), cache_describe(&caches->l1d, l1d),
             cache_describe(&caches->l2, l2));
}

/* Say in JSON why no search has counters, if nothing else has said it. */
static const char *uncounted(const struct region_counters *counters, bool is_alone)
{
    return counters->metrics.count > 0 ? NULL
           : is_alone                  ? "not asked for"
                      : "not counted: several searches are made at once, and counters cover one";
}

void counter_report_summary(const struct region_counters *counters, bool is_alone, bool verbose,
                            struct report *report)
{
    static struct report_field fields[METRICS_MAX + 32];
    static char note[640];
    const struct region_measures *total = &counters->total;
    const bool simulated = region_counters_simulated(counters);
    const bool is_text = report->format == REPORT_FORMAT_TEXT;
    const bool counts = has_metrics(counters);
    const bool shown = verbose || counts;
    size_t count = 0;
    for (size_t i = 0; counts && i < counters->metrics.count; i++) {
        const struct metric *metric = &counters->metrics.list[i];
        struct counter_reading value = metric_value(metric, total->readings, total->visited);
        fields[count++] =
            (struct report_field){metric->name, metric->title, number(metric, &value)};
    }
    struct report_value share = counted_share(counters, total);
    bool has_share = share.kind != REPORT_UNKNOWN && !simulated;
    if (counts) {
        fields[count++] = (struct report_field){"counter_share",
                                                has_share ? "share of time counted" : NULL, share};
    }
    for (size_t i = 0; i < COUNT_OF(accounts); i++) {
        struct report_value value = account(counters, total, i);
        const char *label = shown && value.kind != REPORT_UNKNOWN ? accounts[i].label : NULL;
        fields[count++] = (struct report_field){accounts[i].name, label, value};
    }
    fields[count++] =
        (struct report_field){"searches_disturbed", NULL,
                              report_if(region_counters_have_accounts(counters, total),
                                        report_integer(counters->disturbed))};
    if (simulated) {
        describe_simulation(counters, note, sizeof(note));
    } else if (silent(counters) && is_text) {
        snprintf(note, sizeof(note), "Counters: %s; see bfs --doctor", absence(counters));
    } else {
        metrics_footnote(&counters->counters, &counters->metrics, total->readings,
                         &counter_report_offers, note, sizeof(note));
    }
    fields[count++] = (struct report_field){
        "note", NULL, report_text(note[0] != '\0' ? note : uncounted(counters, is_alone))};
    pw_assert(count <= COUNT_OF(fields));
    const char *title = simulated          ? "\nCounters (simulated, of the searches)"
                        : silent(counters) ? "\nCounted by the kernel (during the searches)"
                                           : "\nCounters (of the searches, in user mode)";
    report_section(report, "counters", shown ? title : NULL, fields, count);
    if (is_text && note[0] != '\0') {
        fputs(shown && !silent(counters) ? "" : "\n", report->out);
        report_note(report, note);
    }
    if (report->format == REPORT_FORMAT_JSON) {
        write_events(counters, report);
    }
}
