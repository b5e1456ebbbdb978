/*
 * simulated_counters.h - counts of a simulated processor: this process runs under Valgrind's
 * Callgrind, which is told where a measured region begins and ends.
 *
 * Instrumentation is off until the first region, so loading is quick. From then on the caches see
 * everything, and only regions are counted. The caches are cold when the first region starts.
 */
#pragma once

#include "cache_geometry.h"
#include <stdio.h>

struct simulated_counts {
    uint64_t instructions;  /* Ir */
    uint64_t loads;         /* Dr */
    uint64_t stores;        /* Dw */
    uint64_t l1d_misses;    /* D1mr: of loads */
    uint64_t l2_misses;     /* DLmr: of those, in the last level, which has the L2's geometry */
    uint64_t branches;      /* Bc + Bi */
    uint64_t branch_misses; /* Bcm + Bim */
    struct cache_geometry geometry; /* as the simulator states it; l1i, l1d, l2 */
};

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

/*
 * What the region that just ended was counted at: has Callgrind write its file FOLDER/sim.PART
 * (part from 1, one more each time; FOLDER/sim is Callgrind's output file), reads and removes it.
 * False with a static sentence in *why.
 */
bool simulated_counters_read(const char *folder, unsigned part, struct simulated_counts *counts,
                             const char **why);

/* Read counts from Callgrind's format. False when it holds none. */
bool simulated_counts_parse(FILE *file, struct simulated_counts *counts);
