/*
 * region_counters.h - the cost of a measured region: processor events, and the kernel's accounts of
 * the thread; for one region, and for all.
 *
 * 1. before a region; begin and end at its edges, called by the measured code; after it; add.
 * 2. If groups of events must be counted one after the other, the region is run once more for each
 *    of them (passes). The counts of the first pass stay.
 */
#pragma once

#include "cache_geometry.h"
#include "metrics.h"
#include "software_counters.h"

/* The counts of one region, or of all. */
struct region_measures {
    bool counted; /* the edges of the region were marked */
    struct counter_reading readings[COUNTER_EVENTS_MAX];
    struct software_counters software;
    uint64_t visited; /* nodes: the divisor of amounts per node */
};

/* The child of a simulation. */
struct region_simulation {
    const char *folder; /* for the simulator's files; NULL: nothing is simulated */
    struct cache_geometry geometry;
    double budget; /* instructions to simulate */
    unsigned part; /* files read so far */
};

struct region_counters {
    struct metrics metrics;
    struct counters counters;
    struct region_measures now; /* of the last region */
    struct region_measures total;
    uint64_t regions;   /* in the total */
    uint64_t disturbed; /* regions with a context switch */
    struct region_simulation simulation;
    /* Private. */
    bool wants_passes;
    bool in_region;
    bool first_pass;
    struct software_counters software_before;
};

/* Open the counters of a specification (metrics.h). passes: count its groups one after the other.
 * False with error set for a name that does not exist. An unavailable counter is no error here. */
bool region_counters_open(struct region_counters *counters, const char *specification, bool passes,
                          struct command_error *error);

/* Open the counters of the child of a simulation: its simulator has these caches and writes into
 * folder (kept); the limit is for all regions together. */
void region_counters_open_simulation(struct region_counters *counters,
                                     const struct cache_geometry *geometry, uint64_t limit_ns,
                                     const char *folder);

/* True if every counter is available; else error says which is not, and why. */
bool region_counters_available(const struct region_counters *counters, struct command_error *error);

/* True if times mean nothing, because the processor is simulated. */
static inline bool region_counters_simulated(const struct region_counters *counters)
{
    return counters->simulation.folder != NULL;
}

void region_counters_close(struct region_counters *counters);

/* True if a simulation has executed as many instructions as its limit allows. */
bool region_counters_limit_reached(const struct region_counters *counters);

/* How often a region must be run, and the calls before each time (pass from 0) and after it.
 * visited: the nodes that the region visited. */
size_t region_counters_passes(const struct region_counters *counters);
void region_counters_before(struct region_counters *counters, size_t pass);
void region_counters_after(struct region_counters *counters, uint64_t visited);

/* The edges of the region, as callbacks whose context is a struct region_counters. */
void region_counters_begin(void *counters);
void region_counters_end(void *counters);

/* Add the last region to the total. */
void region_counters_add(struct region_counters *counters);

/* True if measures.software holds the kernel's accounts: counted, and not in a simulation. */
static inline bool region_counters_have_accounts(const struct region_counters *counters,
                                                 const struct region_measures *measures)
{
    return measures->counted && !region_counters_simulated(counters);
}

/* True if the last region was disturbed by a context switch. */
bool region_counters_disturbed(const struct region_counters *counters);

/* True if every counter of the total has a value; else error names one without. */
bool region_counters_complete(const struct region_counters *counters, struct command_error *error);
