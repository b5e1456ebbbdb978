/*
 * counters.h - processor counters around a measured region: open, begin, end, and a reading for
 * each event that says how far it can be believed.
 *
 * 1. A plan names events and puts those that are divided by each other into one group, which the
 *    kernel counts at the same time.
 * 2. Opening it says of every event whether it is there; begin and end read each group with its
 *    times enabled and running; the differences are scaled in double.
 * 3. A value is exact, scaled, or absent with the reason. It is never a bare 0.
 * The counts are those of the calling thread in user mode. A set serves one thread.
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
    COUNTER_NOT_COUNTED,   /* opened, but this region has no value */
    COUNTER_NOT_SUPPORTED, /* this machine has no such counter */
    COUNTER_NO_PERMISSION, /* it may have, but this process may not look */
};

struct counter_reading {
    enum counter_status status;
    double value;    /* 0 unless there is one */
    double running;  /* share of the region in which it was counted: 0 to 1 */
    const char *why; /* NULL, or the reason; lives as long as the counters */
    uint64_t time_enabled_ns;
    uint64_t time_running_ns;
};

/* The status in words: "exact", "scaled", "not counted", ... */
const char *counter_status_name(enum counter_status status);

/* Whether a reading carries a number. */
static inline bool counter_has_value(const struct counter_reading *reading)
{
    return reading->status <= COUNTER_SIMULATED;
}

/* Why the kernel opened no counter, in words, from the errno; status: what that means. */
const char *counters_refusal(const struct pmu_host *host, int error, enum counter_status *status);

struct counter_event {
    struct event event;
    enum event_role role;
    size_t group;
    int descriptor;             /* -1: not open */
    enum counter_status status; /* COUNTER_EXACT when open, else why not */
    char why[COUNTER_WHY_BYTES];
};

struct counter_group {
    int leader;          /* -1: none of its events is open */
    bool selected;       /* counted in this pass */
    const char *failure; /* why it is not counting; NULL between begin and end */
    size_t open_count;
    bool is_read; /* before holds what the group gave when it was stopped last */
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

/* Start a group; its index. When there are too many the plan is full, and not to be opened. */
size_t counters_add_group(struct counters *counters);

/* Add an event to a group; its index. When there are too many the plan is full as well. */
size_t counters_add_event(struct counters *counters, size_t group, const struct event *event,
                          enum event_role role);
/* Add one that cannot be had, with the reason, so that the report can say so. */
size_t counters_add_missing(struct counters *counters, size_t group, enum event_role role,
                            enum counter_status status, const char *why);

/*
 * Open what the plan names. True also when not a single event could be opened: the events say why.
 * False, with nothing left open, only when a group holds more events than the processor can count
 * at once (each alone can be opened): plan smaller groups.
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

/* Preset readings to what is known before anything was counted. */
void counters_preset(const struct counters *counters, struct counter_reading *readings);

/* Add the reading of one region to a total. regions: how many the total holds already. If any part
 * lacks a value, the total has none. */
void counter_reading_add(struct counter_reading *total, const struct counter_reading *part,
                         size_t regions);
