/*
 * events.h - names of processor events, and the event that serves a metric on each processor.
 *
 * Names: the kernel's generic ones in perf's spelling ("cycles", "L1-dcache-loads"), and raw codes
 * ("r81d0"). A manual's name of a processor's own event is for reports alone.
 */
#pragma once

#include "base/program/command_error.h"
#include "pmu.h"

#define EVENT_NAME_BYTES 192

/* The needs of a metric; each processor has its own event for each. */
enum event_role {
    EVENT_LOADS,
    EVENT_L1D_MISSES, /* loads that miss the first-level data cache */
    EVENT_L2_MISSES,  /* the same loads if they miss the second level, too */
    EVENT_DTLB_MISSES,
    EVENT_BRANCHES,
    EVENT_BRANCH_MISSES,
    EVENT_INSTRUCTIONS,
    EVENT_CYCLES,
    EVENT_ROLE_COUNT,
    EVENT_NO_ROLE = EVENT_ROLE_COUNT /* an event the user named */
};

/* True if an event also counts work on a path that was not taken in the end. */
enum event_stage { EVENT_STAGE_UNKNOWN, EVENT_SPECULATIVE, EVENT_RETIRED };

struct event {
    char name[EVENT_NAME_BYTES]; /* as typed, or as the table spells it */
    struct pmu_code code;
    enum event_stage stage;
    const char *note; /* what else the event counts, or NULL; static */
};

/* The event with that name. False with error set if no event has it; near names are listed. */
bool event_find(const char *name, struct event *out, struct command_error *error);

/* The event for a role on a processor family. False with error set if the family has no such
 * event. */
bool event_for_role(enum pmu_family family, enum event_role role, struct event *out,
                    struct command_error *error);

/* "loads", "l1d_misses", ...: the role's name in CSV and JSON. */
const char *event_role_name(enum event_role role);
const char *event_stage_name(enum event_stage stage);
