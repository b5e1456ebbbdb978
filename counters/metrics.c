/*
 * metrics.c - turns a specification into groups of events, and readings into metrics.
 *
 * A group has every event that one of its ratios needs. If a processor cannot count four at once,
 * the plan is made again with a group per ratio; an event then is in several groups.
 */
#include "metrics.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdio.h>
#include <string.h>

struct description {
    const char *name, *title, *heading;
    enum metric_kind kind;
    enum event_role a, b; /* b: EVENT_NO_ROLE if there is only one event */
    int group;            /* in the plan of small groups */
};

/* The small groups of "memory" are those below the first of "core". */
enum { GROUP_LOADS, GROUP_L2, GROUP_DTLB, GROUP_BRANCHES, GROUP_IPC, GROUP_COUNT };

static const struct description descriptions[] = {
    {"loads", "loads", "loads", METRIC_COUNT, EVENT_LOADS, EVENT_NO_ROLE, GROUP_LOADS},
    {"l1d_hit_rate", "L1D hit rate", "L1D hit", METRIC_HIT_RATE, EVENT_L1D_MISSES, EVENT_LOADS,
     GROUP_LOADS},
    {"l2_local_hit_rate", "L2 local hit rate", "L2 hit", METRIC_HIT_RATE, EVENT_L2_MISSES,
     EVENT_L1D_MISSES, GROUP_L2},
    {"dtlb_hit_rate", "DTLB hit rate", "DTLB hit", METRIC_HIT_RATE, EVENT_DTLB_MISSES, EVENT_LOADS,
     GROUP_DTLB},
    {"branches", "branches", "branches", METRIC_COUNT, EVENT_BRANCHES, EVENT_NO_ROLE,
     GROUP_BRANCHES},
    {"branches_predicted_rate", "branches predicted", "predicted", METRIC_HIT_RATE,
     EVENT_BRANCH_MISSES, EVENT_BRANCHES, GROUP_BRANCHES},
    {"instructions", "instructions", "instr.", METRIC_COUNT, EVENT_INSTRUCTIONS, EVENT_NO_ROLE,
     GROUP_IPC},
    {"cycles", "cycles", "cycles", METRIC_COUNT, EVENT_CYCLES, EVENT_NO_ROLE, GROUP_IPC},
    {"ipc", "instructions per cycle", "IPC", METRIC_RATIO, EVENT_INSTRUCTIONS, EVENT_CYCLES,
     GROUP_IPC},
};

/* The event for a role in a group, added if it is missing. */
static size_t event_in_group(struct counters *counters, size_t group, enum event_role role)
{
    struct event event;
    struct command_error error;
    if (role == EVENT_NO_ROLE) {
        return 0;
    }
    for (size_t i = 0; i < counters->event_count; i++) {
        if (counters->events[i].group == group && counters->events[i].role == role) {
            return i;
        }
    }
    if (event_for_role(counters->host.family, role, &event, &error)) {
        return counters_add_event(counters, group, &event, role);
    }
    return counters_add_missing(counters, group, role, COUNTER_NOT_SUPPORTED, error.message);
}

static void add_metric(struct metrics *metrics, const char *name, const char *title,
                       const char *heading, enum metric_kind kind, size_t a, size_t b)
{
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->list[i].name, name) == 0) {
            return; /* named twice, or part of a group as well: one column is enough */
        }
    }
    if (metrics->count == METRICS_MAX) {
        return; /* at most two for an event: the counters are full as well */
    }
    struct metric *metric = &metrics->list[metrics->count++];
    pw_assert(a < COUNTER_EVENTS_MAX && b < COUNTER_EVENTS_MAX);
    snprintf(metric->name, sizeof(metric->name), "%s", name);
    snprintf(metric->title, sizeof(metric->title), "%s", title);
    snprintf(metric->heading, sizeof(metric->heading), "%s", heading);
    metric->kind = kind;
    metric->a = a;
    metric->b = b;
}

/* Add the amount per node of a count. words: for people, "%s per node" with its name. */
static void add_per_node(struct metrics *metrics, const char *count, const char *words, size_t a)
{
    char name[EVENT_NAME_BYTES + 16], title[EVENT_NAME_BYTES + 16];
    snprintf(name, sizeof(name), "%s_per_node", count);
    snprintf(title, sizeof(title), "%s%s", count, words);
    add_metric(metrics, name, title, title, METRIC_PER_NODE, a, 0);
}

/* The division of events into groups. */
enum plan { PLAN_LARGE_GROUPS, PLAN_SMALL_GROUPS, PLAN_ONE_GROUP };

static size_t planned_group(enum plan plan, int group)
{
    return plan == PLAN_SMALL_GROUPS ? (size_t)group
                                     : plan == PLAN_LARGE_GROUPS && group >= GROUP_BRANCHES;
}

/* Add the described metrics of the small groups first to last, in the order of the table, and each
 * count per node after them. The events of a plan of one group are there already, in group 0. */
static void add_described(struct metrics *metrics, struct counters *counters, int first, int last,
                          enum plan plan)
{
    size_t groups[GROUP_COUNT]; /* of the counters; SIZE_MAX: not added yet */
    size_t count_events[EVENT_ROLE_COUNT];
    memset(groups, plan == PLAN_ONE_GROUP ? 0 : 0xff, sizeof(groups));
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        const struct description *from = &descriptions[i];
        size_t *group = &groups[planned_group(plan, from->group)];
        if (from->group < first || from->group > last) {
            continue;
        }
        if (*group == SIZE_MAX) {
            *group = counters_add_group(counters);
        }
        pw_assert(*group < counters->group_count);
        /* The denominator first: it is the event that leads the group. */
        size_t b = event_in_group(counters, *group, from->b);
        size_t a = event_in_group(counters, *group, from->a);
        add_metric(metrics, from->name, from->title, from->heading, from->kind, a, b);
        count_events[from->a] = a;
        pw_assert(counters->full || counters->events[a].group == *group);
        pw_assert(counters->full || from->b == EVENT_NO_ROLE ||
                  counters->events[b].group == *group);
    }
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        const struct description *from = &descriptions[i];
        if (from->kind == METRIC_COUNT && from->group >= first && from->group <= last) {
            add_per_node(metrics, from->name, " per node", count_events[from->a]);
        }
    }
}

static bool add_item(struct metrics *metrics, struct counters *counters, const char *name,
                     bool in_braces, enum plan plan, struct command_error *error)
{
    struct event event;
    bool all = strcmp(name, "auto") == 0 || strcmp(name, "pointer-wars") == 0;
    bool memory = all || strcmp(name, "memory") == 0;
    bool core = all || strcmp(name, "core") == 0;
    if (!in_braces && (memory || core)) {
        add_described(metrics, counters, memory ? GROUP_LOADS : GROUP_BRANCHES,
                      core ? GROUP_COUNT - 1 : GROUP_DTLB, plan);
        return true;
    }
    if (!event_find(name, &event, error)) {
        return false;
    }
    pw_assert(!in_braces || counters->group_count > 0);
    size_t group = in_braces ? counters->group_count - 1 : counters_add_group(counters);
    size_t index = counters_add_event(counters, group, &event, EVENT_NO_ROLE);
    if (!counters->full) {
        add_metric(metrics, name, name, name, METRIC_COUNT, index, 0);
        add_per_node(metrics, name, "_per_node", index);
    }
    return true;
}

/* Read the specification item by item. */
static bool read_specification(struct metrics *metrics, struct counters *counters,
                               const char *specification, enum plan plan,
                               struct command_error *error)
{
    bool in_braces = false;
    for (const char *at = specification; *at != '\0';) {
        char name[EVENT_NAME_BYTES];
        if (*at == '{' && !in_braces) {
            in_braces = true;
            at++;
            counters_add_group(counters);
        }
        size_t length = strcspn(at, ",{}");
        if (length == 0 || length >= sizeof(name)) {
            return command_fail(
                error, "expected the name of an event or group at character %zu of \"%.100s\"",
                (size_t)(at - specification) + 1, specification);
        }
        snprintf(name, sizeof(name), "%.*s", (int)length, at);
        if (!add_item(metrics, counters, name, in_braces, plan, error)) {
            return false;
        }
        at += length;
        if (*at == '}' && in_braces) {
            in_braces = false;
            at++;
        }
        if (*at == ',' && at[1] != '\0') {
            at++;
        } else if (*at != '\0') {
            return command_fail(error, "unexpected \"%c\" at character %zu of \"%.100s\"", *at,
                                (size_t)(at - specification) + 1, specification);
        }
    }
    return (!in_braces || command_fail(error, "missing \"}\" in \"%.100s\"", specification)) &&
           (!counters->full || command_fail(error, "more than %d events or %d groups of them",
                                            COUNTER_EVENTS_MAX, COUNTER_GROUPS_MAX));
}

bool metrics_open(struct metrics *metrics, struct counters *counters, const char *specification,
                  const struct pmu *pmu, const struct pmu_host *host, struct command_error *error)
{
    if (specification == NULL || strcmp(specification, "none") == 0) {
        specification = "";
    }
    for (enum plan plan = PLAN_LARGE_GROUPS; plan <= PLAN_SMALL_GROUPS; plan++) {
        *metrics = (struct metrics){.automatic = strcmp(specification, "auto") == 0};
        counters_plan(counters, pmu, host);
        if (!read_specification(metrics, counters, specification, plan, error)) {
            return false;
        }
        if (counters_open(counters)) {
            return true;
        }
    }
    return command_fail(
        error, "this processor cannot count the events in one pair of braces at the same time");
}

void metrics_of_roles(struct metrics *metrics, struct counters *counters)
{
    pw_assert(counters->group_count == 1 && counters->event_count == EVENT_ROLE_COUNT);
    *metrics = (struct metrics){0};
    add_described(metrics, counters, GROUP_LOADS, GROUP_COUNT - 1, PLAN_ONE_GROUP);
}

static struct counter_reading no_value(const char *why)
{
    return (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why};
}

struct counter_reading metric_value(const struct metric *metric,
                                    const struct counter_reading *readings, uint64_t visited)
{
    const struct counter_reading *a = &readings[metric->a];
    struct counter_reading value = *a;
    double divisor = (double)visited;
    pw_assert(metric->a < COUNTER_EVENTS_MAX && metric->b < COUNTER_EVENTS_MAX);
    if (metric->kind == METRIC_COUNT || !counter_has_value(a)) {
        return value;
    }
    if (metric->kind != METRIC_PER_NODE) { /* as good as the worse of its parts */
        const struct counter_reading *b = &readings[metric->b];
        if (!counter_has_value(b)) {
            return *b;
        }
        value = a->status >= b->status ? *a : *b;
        divisor = b->value;
    }
    if (!(divisor > 0)) {
        return no_value("there was nothing to divide by");
    }
    value.value = a->value / divisor;
    if (metric->kind == METRIC_HIT_RATE) {
        value.value = 1 - value.value;
        if (value.value < 0) {
            return no_value("more misses than accesses: the two events count differently");
        }
    }
    return value;
}

/* The advice for a missing value. */
static void write_advice(const struct pmu_host *host, enum counter_status status,
                         const struct counter_offers *offers, char *out, size_t out_size)
{
    bool refused = status == COUNTER_NO_PERMISSION;
    bool absent = status == COUNTER_NOT_SUPPORTED && !host->has_pmu;
    if (status == COUNTER_NOT_COUNTED) {
        snprintf(out, out_size, "count fewer events at a time (%s), %s", offers->passes,
                 host->has_watchdog
                     ? "and free the counter of the kernel's watchdog (sudo sysctl "
                       "kernel.nmi_watchdog=0)"
                     : "and see if another program counts, such as perf or a profiler");
    } else if (refused && !host->is_container) {
        snprintf(out, out_size,
                 "kernel.perf_event_paranoid is %d: run \"sudo sysctl kernel.perf_event_paranoid=%d"
                 "\", or run as root, or simulate with %s",
                 host->perf_event_paranoid, host->perf_event_paranoid > 2 ? 2 : 1,
                 offers->simulate);
    } else {
        const char *other =
            refused ? "in a container, start it with --cap-add PERFMON or --security-opt "
                      "seccomp=unconfined, or "
            : absent && host->is_virtual
                ? "run on the machine itself, have the hypervisor pass its PMU through, or "
            : absent ? ""
                     : "choose another event, or ";
        snprintf(out, out_size, "%ssimulate with %s", other, offers->simulate);
    }
}

const char *metrics_footnote(const struct counters *counters, const struct metrics *metrics,
                             const struct counter_reading *readings,
                             const struct counter_offers *offers, char *out, size_t out_size)
{
    char sentence[256];
    const struct counter_reading *worst = NULL;
    size_t absent = 0;
    out[0] = '\0';
    for (size_t i = 0; i < counters->event_count && metrics->count > 0; i++) {
        const struct counter_reading *reading = &readings[i];
        if (!counter_has_value(reading)) {
            absent++;
            worst = worst == NULL || reading->status > worst->status ? reading : worst;
        }
    }
    pw_assert((worst != NULL) == (absent > 0));
    if (worst != NULL) {
        write_advice(&counters->host, worst->status, offers, sentence, sizeof(sentence));
        snprintf(out, out_size, "%s (%zu of %zu counters): %s; %s",
                 counter_status_name(worst->status), absent, counters->event_count,
                 worst->why != NULL ? worst->why : "no reason known", sentence);
    }
    return out;
}
