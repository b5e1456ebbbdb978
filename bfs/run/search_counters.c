/*
 * search_counters.c - open, start, stop and add up the counters of the searches.
 */
#include "search_counters.h"
#include "base/pw_assert.h"
#include "perf/counters/simulated_counters.h"
#include <string.h>

static const char why_not_marked[] = "the engine does not mark its measured region";
static const char why_other_counts[] = "a further pass took another course";

static void region_begin(void *context)
{
    struct search_counters *counters = context;
    pw_assert(!counters->in_region); /* regions do not nest */
    counters->in_region = true;
    if (search_counters_simulated(counters)) {
        simulated_counters_begin();
        return;
    }
    if (counters->first_pass) {
        software_counters_read(&counters->software_before);
    }
    counters_begin(&counters->counters);
    if (counters->first_pass) {
        kernel_calls_begin(); /* last: from here on the kernel's door is watched */
    }
}

static void region_end(void *context)
{
    struct search_counters *counters = context;
    struct search_measures *now = &counters->now;
    if (!counters->in_region) {
        return;
    }
    now->counted = true;
    counters->in_region = false;
    if (search_counters_simulated(counters)) {
        simulated_counters_end();
        simulated_counters_read(counters->simulation.folder, ++counters->simulation.part,
                                &counters->counters, now->readings);
        return;
    }
    if (counters->first_pass) {
        kernel_calls_end(&now->kernel);
        if (counters->no_kernel_calls != NULL) {
            now->kernel.why = counters->no_kernel_calls;
        }
    }
    counters_end(&counters->counters, now->readings);
    if (counters->first_pass) {
        struct software_counters after;
        software_counters_read(&after);
        now->software = software_counters_between(&counters->software_before, &after);
    }
}

bool search_counters_open(struct search_counters *counters, const struct counter_options *options,
                          struct command_error *error, bool *usage)
{
    struct pmu_host host;
    struct command_error why;
    memset(counters, 0, sizeof(*counters));
    counters->options = options;
    counters->region = (struct search_region){region_begin, region_end, counters};
    pmu_host_read(&host, "");
    *usage = true;
    if (!metrics_open(&counters->metrics, &counters->counters, options->specification, &pmu_kernel,
                      &host, &why)) {
        return command_fail(error, "--counters: %s", why.message);
    }
    *usage = false;
    for (size_t i = 0; options->required && i < counters->counters.event_count; i++) {
        const struct counter_event *event = &counters->counters.events[i];
        if (event->status != COUNTER_EXACT) {
            command_fail(error, "--require-counters: %.191s: %s: %s", event->event.name,
                         counter_status_name(event->status), event->why);
            search_counters_close(counters);
            return false;
        }
    }
    counters->no_kernel_calls =
        strcmp(options->specification, "none") == 0 ? "--counters=none" : kernel_calls_arm();
    return true;
}

void search_counters_open_simulation(struct search_counters *counters,
                                     const struct counter_options *options, const char *folder)
{
    struct pmu_host host;
    struct command_error unused; /* the text was checked when it was given */
    memset(counters, 0, sizeof(*counters));
    counters->options = options;
    counters->region = (struct search_region){region_begin, region_end, counters};
    counters->simulation.folder = folder;
    cache_geometry_parse(&counters->simulation.geometry, options->simulation, &unused);
    pmu_host_read(&host, "");
    counters_plan(&counters->counters, &pmu_kernel, &host);
    simulated_counters_plan(&counters->counters);
    metrics_of_roles(&counters->metrics, &counters->counters);
    counters->no_kernel_calls = "not in a simulation";
}

void search_counters_close(struct search_counters *counters)
{
    counters_close(&counters->counters);
    kernel_calls_disarm();
}

bool search_counters_limit_reached(const struct search_counters *counters)
{
    return search_counters_simulated(counters) &&
           counters->total.readings[EVENT_INSTRUCTIONS].value >=
               simulated_counters_budget(counters->options->simulation_limit_ns);
}

size_t search_counters_passes(const struct search_counters *counters)
{
    size_t groups = counters->counters.group_count;
    bool several =
        counters->options->passes && groups > 1 && counters_open_count(&counters->counters) > 0;
    return several ? groups : 1;
}

void search_counters_before(struct search_counters *counters, size_t pass)
{
    counters->first_pass = pass == 0;
    if (pass == 0) {
        memset(&counters->now, 0, sizeof(counters->now));
        counters_preset(&counters->counters, counters->now.readings);
        counters->now.kernel.why =
            counters->no_kernel_calls != NULL ? counters->no_kernel_calls : why_not_marked;
    }
    counters_select(&counters->counters, search_counters_passes(counters) > 1 ? pass : SIZE_MAX);
}

/* Take the values of a pass back. */
static void discard_pass(struct search_counters *counters, const char *why)
{
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        const struct counter_event *event = &counters->counters.events[i];
        if (counters->counters.groups[event->group].selected) {
            counters->now.readings[i] =
                (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why};
        }
    }
}

void search_counters_after(struct search_counters *counters, const struct search_result *result)
{
    region_end(counters); /* where a failing engine did not */
    if (!counters->now.counted) {
        discard_pass(counters, why_not_marked);
    }
    if (counters->first_pass) {
        counters->now.visited = result->visited;
    } else if (counters->now.visited != result->visited) {
        discard_pass(counters, why_other_counts);
    }
}

bool search_counters_disturbed(const struct search_counters *counters)
{
    const struct software_counters *software = &counters->now.software;
    return search_counters_have_accounts(counters, &counters->now) &&
           (software->switches_involuntary > 0 || software->switches_voluntary > 0);
}

void search_counters_add(struct search_counters *counters)
{
    const struct search_measures *now = &counters->now;
    struct search_measures *total = &counters->total;
    pw_assert(counters->disturbed <= counters->searches && !counters->in_region);
    for (size_t i = 0; i < counters->counters.event_count; i++) {
        counter_reading_add(&total->readings[i], &now->readings[i], (size_t)counters->searches);
    }
    total->counted = now->counted && (counters->searches == 0 || total->counted);
    total->software.task_clock_ns += now->software.task_clock_ns;
    total->software.faults_minor += now->software.faults_minor;
    total->software.faults_major += now->software.faults_major;
    total->software.switches_voluntary += now->software.switches_voluntary;
    total->software.switches_involuntary += now->software.switches_involuntary;
    if (counters->searches == 0 || total->kernel.counted) {
        total->kernel.counted = now->kernel.counted;
        total->kernel.why = now->kernel.why;
    }
    for (size_t i = 0; i < KERNEL_CALL_COUNT; i++) {
        total->kernel.calls[i] += now->kernel.calls[i];
    }
    total->visited += now->visited != UINT64_MAX ? now->visited : 0;
    counters->disturbed += search_counters_disturbed(counters);
    counters->searches++;
}

bool search_counters_complete(const struct search_counters *counters, struct command_error *error)
{
    for (size_t i = 0; counters->options->required && i < counters->counters.event_count; i++) {
        const struct counter_reading *reading = &counters->total.readings[i];
        if (counters->searches > 0 && !counter_has_value(reading)) {
            return command_fail(error, "--require-counters: %.191s: %s: %s",
                                counters->counters.events[i].event.name,
                                counter_status_name(reading->status),
                                reading->why != NULL ? reading->why : "no reason known");
        }
    }
    return true;
}
