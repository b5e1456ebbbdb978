/*
 * counters.h - processor counters around a measured region: open, begin, end, and a reading for
 * each event with its precision.
 *
 * 1. A plan names events. Events whose ratio is wanted are in one group, which the kernel counts at
 *    the same time.
 * 2. Opening it says for every event whether it is available; begin and end read each group with
 *    its times enabled and running; the differences are scaled in double.
 * 3. Groups for which the processor has too few counters at the same time are shared by the kernel,
 *    which changes them every few milliseconds; a pass counts one group alone.
 * 4. A value is exact, scaled, or absent with the reason. It is never a bare 0: an event that has
 *    counted nothing yet may be one that the processor does not have.
 * The counts are the calling thread's in user mode. A set serves one thread.
 */
#pragma once

#include "events.h"
#include "pmu.h"

#define COUNTER_EVENTS_MAX 32
#define COUNTER_GROUPS_MAX 16
#define COUNTER_WHY_BYTES  160

enum counter_status {
    COUNTER_EXACT,         /* counted all the time */
    COUNTER_SCALED,        /* counted part of the time and scaled to all of it */
    COUNTER_SIMULATED,     /* counted by a simulated processor */
    COUNTER_NOT_COUNTED,   /* opened, but without a value for this region */
    COUNTER_STAYED_ZERO,   /* not supported: it has never counted anything */
    COUNTER_NOT_SUPPORTED, /* this machine has no such counter */
    COUNTER_NO_PERMISSION, /* it may have one, but this process may not use it */
};

struct counter_reading {
    enum counter_status status;
    double value;    /* 0 if it is not known */
    double running;  /* share of the region in which it was counted: 0 to 1 */
    const char *why; /* NULL, or the reason; lives as long as the counters */
    uint64_t time_enabled_ns;
    uint64_t time_running_ns;
    uint64_t time_skipped_ns; /* part of the time enabled: regions in which it did not run at all */
};

/* The status in words: "exact", "scaled", "not counted", ... */
const char *counter_status_name(enum counter_status status);

/* True if a reading has a number. */
static inline bool counter_has_value(const struct counter_reading *reading)
{
    return reading->status <= COUNTER_SIMULATED;
}

/* The reason for an errno of opening a counter, in words; status: its meaning. */
const char *counters_refusal(const struct pmu_host *host, int error, enum counter_status *status);

struct counter_event {
    struct event event;
    enum event_role role;
    size_t group;
    int descriptor;             /* -1: not open */
    enum counter_status status; /* COUNTER_EXACT when open, else why not */
    char why[COUNTER_WHY_BYTES];
    bool has_counted;            /* more than 0, at some time */
    double instructions_at_zero; /* executed while it was counted and stayed at 0 */
};

struct counter_group {
    int leader;          /* -1: none of its events is open */
    bool selected;       /* counted in this pass */
    const char *failure; /* why it is not counting; NULL while it is */
    size_t open_count;
    bool is_read; /* before has the group's values at its last stop */
    uint64_t before[PMU_GROUP_HEADER + COUNTER_EVENTS_MAX];
};

struct counters {
    const struct pmu *pmu;
    struct pmu_host host;
    struct counter_event events[COUNTER_EVENTS_MAX];
    size_t event_count;
    struct counter_group groups[COUNTER_GROUPS_MAX];
    size_t group_count;
    bool full; /* a group or an event found no room */
};

/* An empty plan on a machine; nothing is opened yet. pmu and host: see pmu.h. */
void counters_plan(struct counters *counters, const struct pmu *pmu, const struct pmu_host *host);

/* Start a group; returns its index. If there are too many, the plan is full: do not open it. */
size_t counters_add_group(struct counters *counters);

/* Add an event to a group; returns its index. If there are too many, the plan is full, too. */
size_t counters_add_event(struct counters *counters, size_t group, const struct event *event,
                          enum event_role role);
/* Add an unavailable event, with the reason, so that the report can show it. */
size_t counters_add_missing(struct counters *counters, size_t group, enum event_role role,
                            enum counter_status status, const char *why);

/*
 * Open the events of the plan. True even if not a single event could be opened: the events say why.
 * False, with nothing left open, only if a group has more events than the processor can count at
 * once (each alone can be opened): plan smaller groups.
 */
bool counters_open(struct counters *counters);
void counters_close(struct counters *counters);

/* How many events are open. */
size_t counters_open_count(const struct counters *counters);

/* Count one group only (a pass), or all with SIZE_MAX, the default. */
void counters_select(struct counters *counters, size_t group);

/*
 * Around the measured region. end writes a reading for every event of the selected groups and
 * leaves the others of readings[event_count] as they are.
 */
void counters_begin(struct counters *counters);
void counters_end(struct counters *counters, struct counter_reading *readings);

/* Preset readings to their values before anything was counted. */
void counters_preset(const struct counters *counters, struct counter_reading *readings);

/*
 * Add the reading of one region to a total. regions: how many the total holds already. If any part
 * lacks a value, the total has no value. One exception: if other groups had the counters during a
 * region, the total is scaled to include it.
 */
void counter_reading_add(struct counter_reading *total, const struct counter_reading *part,
                         size_t regions);
