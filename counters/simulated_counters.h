/*
 * simulated_counters.h - counts of a simulated processor: this process runs under Valgrind's
 * Callgrind, and marks for it where a measured region begins and ends.
 *
 * Instrumentation is off until the first region, so loading is quick. From then on the caches see
 * everything, and only regions are counted. The caches are cold when the first region starts.
 */
#pragma once

#include "counters.h"
#include <stdio.h>

/* True if this process runs under Valgrind and was built to talk to Callgrind. */
bool simulated_counters_running(void);

/* True if the program was built to talk to Callgrind. */
bool simulated_counters_built_in(void);

/* The instructions that a simulation makes in that time, at a nominal speed: so every machine and
 * every run chooses the same amount of work. */
double simulated_counters_budget(uint64_t limit_ns);

/* The edges of a region. Without Callgrind they do nothing. */
void simulated_counters_begin(void);
void simulated_counters_end(void);

/* Add a group with an event for every role, by its number, to an empty plan; none is opened. */
void simulated_counters_plan(struct counters *counters);

/*
 * Write the counts of the region that just ended into the readings of such a plan. Callgrind writes
 * its file FOLDER/sim.PART (part from 1, one more each time; FOLDER/sim is Callgrind's output
 * file); this reads and removes it.
 */
void simulated_counters_read(const char *folder, unsigned part, const struct counters *counters,
                             struct counter_reading *readings);

/* Read the counts by role from Callgrind's format. False if the file has no counts. */
bool simulated_counts_parse(FILE *file, uint64_t counts[EVENT_ROLE_COUNT]);
