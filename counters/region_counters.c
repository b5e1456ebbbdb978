/*
 * region_counters.c - see region_counters.h.
 */
#include "region_counters.h"
#include "base/pw_assert.h"
#include "simulated_counters.h"
#include <string.h>

static const char why_not_marked[] = "the engine does not mark its measured region";
static const char why_other_counts[] = "a later pass of the search ran differently";

void region_counters_begin(void *context)
{
    struct region_counters *counters = context;
    pw_assert(!counters->in_region); /* regions do not nest */
    counters->in_region = true;
    if (region_counters_simulated(counters)) {
        simulated_counters_begin();
        return;
    }
    if (counters->first_pass) {
        software_counters_read(&counters->software_before);
    }
    counters_begin(&counters->counters);
}

void region_counters_end(void *context)
{
    struct region_counters *counters = context;
    struct region_measures *now = &counters->now;
    if (!counters->in_region) {
        return;
    }
    pw_assert(!now->counted || !counters->first_pass); /* a region has one end */
    now->counted = true;
    counters->in_region = false;
    if (region_counters_simulated(counters)) {
        simulated_counters_end();
        simulated_counters_read(counters->simulation.folder, ++counters->simulation.part,
                                &counters->counters, now->readings);
        return;
    }
    counters_end(&counters->counters, now->readings);
    if (counters->first_pass) {
        struct software_counters after;
        software_counters_read(&after);
        now->software = software_counters_between(&counters->software_before, &after);
    }
}

bool region_counters_open(struct region_counters *counters, const char *specification, bool passes,
                          struct command_error *error)
{
    struct pmu_host host = {0};
    memset(counters, 0, sizeof(*counters));
    counters->wants_passes = passes;
    if (specification != NULL && strcmp(specification, "none") != 0) {
        pmu_host_read(&host, ""); /* it reads a dozen files */
    }
    return metrics_open(&counters->metrics, &counters->counters, specification, &pmu_kernel, &host,
                        error);
}

void region_counters_open_simulation(struct region_counters *counters,
                                     const struct cache_geometry *geometry, uint64_t limit_ns,
                                     const char *folder)
{
    struct pmu_host host;
    pw_assert(folder != NULL);
    memset(counters, 0, sizeof(*counters));
    counters->simulation = (struct region_simulation){
        .folder = folder, .geometry = *geometry, .budget = simulated_counters_budget(limit_ns)};
    pmu_host_read(&host, "");
    counters_plan(&counters->counters, &pmu_kernel, &host);
    simulated_counters_plan(&counters->counters);
    metrics_of_roles(&counters->metrics, &counters->counters);
}

/* Set error to a counter without a value. Returns false. */
static bool fail_counter(const struct counter_event *event, enum counter_status status,
                         const char *why, struct command_error *error)
{
    return command_fail(error, "%.191s: %s: %s", event->event.name, counter_status_name(status),
                        why != NULL ? why : "no reason known");
}

bool region_counters_available(const struct region_counters *counters, struct command_error *error)
{
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_event *event = &counters->counters.events[i];
        if (event->status != COUNTER_EXACT) {
            return fail_counter(event, event->status, event->why, error);
        }
    }
    return true;
}

void region_counters_close(struct region_counters *counters)
{
    counters_close(&counters->counters);
}

bool region_counters_limit_reached(const struct region_counters *counters)
{
    return region_counters_simulated(counters) &&
           counters->total.readings[EVENT_INSTRUCTIONS].value >= counters->simulation.budget;
}

size_t region_counters_passes(const struct region_counters *counters)
{
    size_t groups = counters->counters.group_count;
    bool several =
        counters->wants_passes && groups > 1 && counters_open_count(&counters->counters) > 0;
    return several ? groups : 1;
}

void region_counters_before(struct region_counters *counters, size_t pass)
{
    pw_assert(!counters->in_region && pass < region_counters_passes(counters));
    counters->first_pass = pass == 0;
    if (pass == 0) {
        memset(&counters->now, 0, sizeof(counters->now));
        counters_preset(&counters->counters, counters->now.readings);
    }
    counters_select(&counters->counters, region_counters_passes(counters) > 1 ? pass : SIZE_MAX);
}

/* Take the values of a pass back. */
static void discard_pass(struct region_counters *counters, const char *why)
{
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_event *event = &counters->counters.events[i];
        if (counters->counters.groups[event->group].selected) {
            counters->now.readings[i] =
                (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why};
        }
    }
}

void region_counters_after(struct region_counters *counters, uint64_t visited)
{
    region_counters_end(counters); /* where a failing engine did not */
    pw_assert(!counters->in_region);
    if (!counters->now.counted) {
        discard_pass(counters, why_not_marked);
    }
    if (counters->first_pass) {
        counters->now.visited = visited;
    } else if (counters->now.visited != visited) {
        discard_pass(counters, why_other_counts);
    }
}

bool region_counters_disturbed(const struct region_counters *counters)
{
    const struct software_counters *software = &counters->now.software;
    return region_counters_have_accounts(counters, &counters->now) &&
           (software->switches_involuntary > 0 || software->switches_voluntary > 0);
}

void region_counters_add(struct region_counters *counters)
{
    const struct region_measures *now = &counters->now;
    struct region_measures *total = &counters->total;
    pw_assert(counters->disturbed <= counters->regions && !counters->in_region);
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        counter_reading_add(&total->readings[i], &now->readings[i], (size_t)counters->regions);
    }
    total->counted = now->counted && (counters->regions == 0 || total->counted);
    total->software.task_clock_ns += now->software.task_clock_ns;
    total->software.faults_minor += now->software.faults_minor;
    total->software.faults_major += now->software.faults_major;
    total->software.switches_voluntary += now->software.switches_voluntary;
    total->software.switches_involuntary += now->software.switches_involuntary;
    total->visited += now->visited != UINT64_MAX ? now->visited : 0;
    counters->disturbed += region_counters_disturbed(counters);
    counters->regions++;
    pw_assert(counters->disturbed <= counters->regions);
}

bool region_counters_complete(const struct region_counters *counters, struct command_error *error)
{
    for (size_t i = 0; counters->regions > 0 && i < counters->counters.event_count; i++) {
        const struct counter_reading *reading = &counters->total.readings[i];
        if (!counter_has_value(reading)) {
            return fail_counter(&counters->counters.events[i], reading->status, reading->why,
                                error);
        }
    }
    return true;
}
