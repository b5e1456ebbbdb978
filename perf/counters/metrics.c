/*
 * metrics.c - from a specification to groups of events, and from readings to what is reported.
 *
 * A group holds every event that one of its ratios divides. Where a processor cannot count four at
 * once the plan is made again with a group for every ratio; an event then is in several groups.
 */
#include "metrics.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "event_library.h"
#include <stdio.h>
#include <string.h>

struct description {
    const char *name, *title, *heading;
    enum metric_kind kind;
    enum event_role a, b; /* b: EVENT_NO_ROLE when there is one event only */
    int group;            /* in the plan of large groups */
    int narrow_group;     /* in the plan of small groups */
};

enum { GROUP_MEMORY, GROUP_CORE };

static const struct description descriptions[] = {
    {"loads", "loads", "loads", METRIC_COUNT, EVENT_LOADS, EVENT_NO_ROLE, GROUP_MEMORY, 0},
    {"l1d_hit_rate", "L1D hit rate", "L1D hit", METRIC_HIT_RATE, EVENT_L1D_MISSES, EVENT_LOADS,
     GROUP_MEMORY, 0},
    {"l2_local_hit_rate", "L2 local hit rate", "L2 hit", METRIC_HIT_RATE, EVENT_L2_MISSES,
     EVENT_L1D_MISSES, GROUP_MEMORY, 1},
    {"dtlb_hit_rate", "DTLB hit rate", "DTLB hit", METRIC_HIT_RATE, EVENT_DTLB_MISSES, EVENT_LOADS,
     GROUP_MEMORY, 2},
    {"branches", "branches", "branches", METRIC_COUNT, EVENT_BRANCHES, EVENT_NO_ROLE, GROUP_CORE,
     3},
    {"branches_predicted_rate", "branches predicted", "predicted", METRIC_HIT_RATE,
     EVENT_BRANCH_MISSES, EVENT_BRANCHES, GROUP_CORE, 3},
    {"instructions", "instructions", "instr.", METRIC_COUNT, EVENT_INSTRUCTIONS, EVENT_NO_ROLE,
     GROUP_CORE, 4},
    {"cycles", "cycles", "cycles", METRIC_COUNT, EVENT_CYCLES, EVENT_NO_ROLE, GROUP_CORE, 4},
    {"ipc", "instructions per cycle", "IPC", METRIC_RATIO, EVENT_INSTRUCTIONS, EVENT_CYCLES,
     GROUP_CORE, 4},
    {"loads_per_node", "loads per node", "loads per node", METRIC_PER_NODE, EVENT_LOADS,
     EVENT_NO_ROLE, GROUP_MEMORY, 0},
    {"branches_per_node", "branches per node", "branches per node", METRIC_PER_NODE, EVENT_BRANCHES,
     EVENT_NO_ROLE, GROUP_CORE, 3},
    {"instructions_per_node", "instructions per node", "instructions per node", METRIC_PER_NODE,
     EVENT_INSTRUCTIONS, EVENT_NO_ROLE, GROUP_CORE, 4},
    {"cycles_per_node", "cycles per node", "cycles per node", METRIC_PER_NODE, EVENT_CYCLES,
     EVENT_NO_ROLE, GROUP_CORE, 4},
};

#define GROUPS_DESCRIBED 5

/* The event for a role in a group, added when it is not there yet. */
static size_t event_in_group(struct counters *counters, size_t group, enum event_role role)
{
    struct event event;
    struct event_error error;
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

static bool add_metric(struct metrics *metrics, const char *name, const char *title,
                       const char *heading, enum metric_kind kind, size_t a, size_t b)
{
    if (metrics->count == METRICS_MAX || a == SIZE_MAX || b == SIZE_MAX) {
        return false;
    }
    for (size_t i = 0; i < metrics->count; i++) {
        if (strcmp(metrics->list[i].name, name) == 0) {
            return true; /* named twice, or part of a group as well: one column is enough */
        }
    }
    struct metric *metric = &metrics->list[metrics->count++];
    snprintf(metric->name, sizeof(metric->name), "%s", name);
    snprintf(metric->title, sizeof(metric->title), "%s", title);
    snprintf(metric->heading, sizeof(metric->heading), "%s", heading);
    metric->kind = kind;
    metric->a = a;
    metric->b = b;
    return true;
}

/* Add the metrics of the described groups, in the order of the table; in the plan of small groups
 * those that are divided by each other, in groups of their own. */
static bool add_described(struct metrics *metrics, struct counters *counters, bool memory,
                          bool core, bool narrow)
{
    size_t groups[GROUPS_DESCRIBED]; /* of the counters; SIZE_MAX: not added yet */
    memset(groups, 0xff, sizeof(groups));
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        const struct description *from = &descriptions[i];
        size_t *group = &groups[narrow ? from->narrow_group : from->group];
        if (!(from->group == GROUP_MEMORY ? memory : core)) {
            continue;
        }
        if (*group == SIZE_MAX) {
            *group = counters->group_count;
            if (!counters_add_group(counters)) {
                return false;
            }
        }
        /* The denominator first: it is the event that leads the group. */
        size_t b = event_in_group(counters, *group, from->b);
        size_t a = event_in_group(counters, *group, from->a);
        if (!add_metric(metrics, from->name, from->title, from->heading, from->kind, a, b)) {
            return false;
        }
        pw_assert(counters->events[a].group == *group);
        pw_assert(from->b == EVENT_NO_ROLE || counters->events[b].group == *group);
    }
    return true;
}

static bool too_many(struct event_error *error)
{
    snprintf(error->message, sizeof(error->message), "more than %d events or %d groups of them",
             COUNTER_EVENTS_MAX, COUNTER_GROUPS_MAX);
    return false;
}

static bool add_named_event(struct metrics *metrics, struct counters *counters, const char *name,
                            struct event_error *error)
{
    struct event event;
    char label[EVENT_NAME_BYTES + 16];
    if (!event_find(name, &event, error)) {
        return false;
    }
    size_t index = counters_add_event(counters, counters->group_count - 1, &event, EVENT_NO_ROLE);
    if (!add_metric(metrics, name, name, name, METRIC_COUNT, index, 0)) {
        return too_many(error);
    }
    snprintf(label, sizeof(label), "%s_per_node", name);
    return add_metric(metrics, label, label, label, METRIC_PER_NODE, index, 0) || too_many(error);
}

static bool add_item(struct metrics *metrics, struct counters *counters, const char *name,
                     bool in_braces, bool narrow, struct event_error *error)
{
    bool all = strcmp(name, "auto") == 0 || strcmp(name, "pointer-wars") == 0;
    bool memory = all || strcmp(name, "memory") == 0;
    bool core = all || strcmp(name, "core") == 0;
    if (!in_braces && (memory || core)) {
        return add_described(metrics, counters, memory, core, narrow) || too_many(error);
    }
    if (!in_braces && !counters_add_group(counters)) {
        return too_many(error);
    }
    return add_named_event(metrics, counters, name, error);
}

/* Read the specification item by item. */
static bool plan(struct metrics *metrics, struct counters *counters, const char *specification,
                 bool narrow, struct event_error *error)
{
    bool in_braces = false;
    const char *at = specification;
    while (*at != '\0') {
        char name[EVENT_NAME_BYTES];
        if (*at == '{' && !in_braces) {
            in_braces = true;
            at++;
            if (!counters_add_group(counters)) {
                return too_many(error);
            }
        }
        size_t length = strcspn(at, ",{}");
        if (length == 0 || length >= sizeof(name)) {
            snprintf(error->message, sizeof(error->message),
                     "expected the name of an event or group at character %zu of \"%.100s\"",
                     (size_t)(at - specification) + 1, specification);
            return false;
        }
        snprintf(name, sizeof(name), "%.*s", (int)length, at);
        if (!add_item(metrics, counters, name, in_braces, narrow, error)) {
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
            snprintf(error->message, sizeof(error->message),
                     "unexpected \"%c\" at character %zu of \"%.100s\"", *at,
                     (size_t)(at - specification) + 1, specification);
            return false;
        }
    }
    if (in_braces) {
        snprintf(error->message, sizeof(error->message), "missing \"}\" in \"%.100s\"",
                 specification);
    }
    return !in_braces;
}

bool metrics_open(struct metrics *metrics, struct counters *counters, const char *specification,
                  const struct pmu *pmu, const struct pmu_host *host, struct event_error *error)
{
    if (specification == NULL || strcmp(specification, "none") == 0) {
        specification = "";
    }
    for (int narrow = 0; narrow <= 1; narrow++) {
        memset(metrics, 0, sizeof(*metrics));
        metrics->automatic = strcmp(specification, "auto") == 0;
        counters_plan(counters, pmu, host);
        if (!plan(metrics, counters, specification, narrow != 0, error)) {
            return false;
        }
        if (counters_open(counters)) {
            return true;
        }
    }
    snprintf(error->message, sizeof(error->message),
             "this processor cannot count the events in one pair of braces at the same time");
    return false;
}

void metrics_simulated(struct metrics *metrics)
{
    memset(metrics, 0, sizeof(*metrics));
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        const struct description *from = &descriptions[i];
        add_metric(metrics, from->name, from->title, from->heading, from->kind, from->a,
                   from->b == EVENT_NO_ROLE ? 0 : from->b);
    }
}

/* The reading of a quotient: as good as the worse of its parts. */
static struct counter_reading worse_of(const struct counter_reading *a,
                                       const struct counter_reading *b)
{
    return a->status >= b->status ? *a : *b;
}

struct counter_reading metric_value(const struct metric *metric,
                                    const struct counter_reading *readings, uint64_t visited)
{
    static const char why_nothing[] = "there was nothing to divide by";
    static const char why_more[] = "more misses than accesses: the two events count differently";
    const struct counter_reading *a = &readings[metric->a];
    struct counter_reading value = *a;
    if (metric->kind == METRIC_COUNT || !counter_has_value(a)) {
        return value;
    }
    double divisor = (double)visited;
    if (metric->kind != METRIC_PER_NODE) {
        const struct counter_reading *b = &readings[metric->b];
        if (!counter_has_value(b)) {
            return *b;
        }
        value = worse_of(a, b);
        divisor = b->value;
    }
    if (!(divisor > 0)) {
        return (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why_nothing};
    }
    value.value = a->value / divisor;
    if (metric->kind == METRIC_HIT_RATE) {
        value.value = 1 - value.value;
        if (value.value < 0) {
            return (struct counter_reading){.status = COUNTER_NOT_COUNTED, .why = why_more};
        }
    }
    return value;
}

/* What to do about it. */
static void write_advice(const struct pmu_host *host, enum counter_status status,
                         const struct counter_offers *offers, char *out, size_t out_size)
{
    const bool refused = status == COUNTER_NO_PERMISSION;
    const bool absent = status == COUNTER_NOT_SUPPORTED && !host->has_pmu;
    if (status == COUNTER_NOT_COUNTED) {
        snprintf(out, out_size,
                 "count fewer events at a time (%s), and see whether the kernel's watchdog holds "
                 "a counter (sysctl kernel.nmi_watchdog)",
                 offers->passes);
    } else if (refused && !host->is_container) {
        snprintf(out, out_size,
                 "kernel.perf_event_paranoid is %d: run \"sudo sysctl kernel.perf_event_paranoid=%d"
                 "\", or run as root, or simulate with %s",
                 host->perf_event_paranoid, host->perf_event_paranoid > 2 ? 2 : 1,
                 offers->simulate);
    } else if (status == COUNTER_NOT_SUPPORTED && !absent && !event_library_ready(NULL)) {
        snprintf(out, out_size,
                 "build with libpfm4 (Debian: libpfm4-dev) for the processor's own events");
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
    if (worst != NULL) {
        write_advice(&counters->host, worst->status, offers, sentence, sizeof(sentence));
        snprintf(out, out_size, "%s (%zu of %zu counters): %s; %s",
                 counter_status_name(worst->status), absent, counters->event_count,
                 worst->why != NULL ? worst->why : "no reason known", sentence);
    }
    return out;
}
