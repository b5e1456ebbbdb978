/*
 * simulated_counters.h - counts of a simulated processor: this process runs under Valgrind's
 * Callgrind, which is told where a measured region begins and ends.
 *
 * Instrumentation is off until the first region, so loading is quick. From then on the caches see
 * everything, and only regions are counted. The caches are cold when the first region starts.
 */
#pragma once

#include "counters.h"
#include <stdio.h>

/* Whether this process runs under Valgrind and was built to talk to Callgrind. */
bool simulated_counters_running(void);

/* Whether the program was built to talk to Callgrind. */
bool simulated_counters_built_in(void);

/* The instructions that a simulation makes in that time, by a nominal speed: so the same amount of
 * work is chosen on every machine and in every run. */
double simulated_counters_budget(uint64_t limit_ns);

/* The edges of a region. Nothing but counts when not under Callgrind. */
void simulated_counters_begin(void);
void simulated_counters_end(void);

/* Add to an empty plan a group with an event for every role, by its number; none is opened. */
void simulated_counters_plan(struct counters *counters);

/*
 * What the region that just ended was counted at, into the readings of such a plan: has Callgrind
 * write its file FOLDER/sim.PART (part from 1, one more each time; FOLDER/sim is Callgrind's output
 * file), reads and removes it.
 */
void simulated_counters_read(const char *folder, unsigned part, const struct counters *counters,
                             struct counter_reading *readings);

/* Read the counts by role from Callgrind's format. False when it holds none. */
bool simulated_counts_parse(FILE *file, uint64_t counts[EVENT_ROLE_COUNT]);
