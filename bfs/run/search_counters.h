/*
 * search_counters.h - the counters of the searches: processor events, the kernel's accounts of the
 * thread, and the calls with which memory is asked of the kernel.
 *
 * The engine switches them on and off at the edges of the measured region (search.h). So they cover
 * what elapsed_ns covers, and the two readings of the clock.
 */
#pragma once

#include "bfs/options/counter_options.h"
#include "bfs/search/search.h"
#include "perf/counters/cache_geometry.h"
#include "perf/counters/kernel_calls.h"
#include "perf/counters/metrics.h"
#include "perf/counters/software_counters.h"

/* What was counted in one search, or in all. */
struct search_measures {
    bool counted; /* the engine marked its region */
    struct counter_reading readings[COUNTER_EVENTS_MAX];
    struct software_counters software;
    struct kernel_calls kernel;
    uint64_t visited;
};

/* The child of a simulation. */
struct search_simulation {
    const char *folder; /* for the simulator's files; NULL: nothing is simulated */
    struct cache_geometry geometry;
    unsigned part; /* files read so far */
};

struct search_counters {
    const struct counter_options *options;
    struct metrics metrics;
    struct counters counters;
    const char *no_kernel_calls; /* why the kernel's calls cannot be counted, or NULL */
    struct search_region region; /* for the engine's limits */
    struct search_measures now;  /* of the last search */
    struct search_measures total;
    uint64_t searches;  /* in the total */
    uint64_t disturbed; /* of them, with a context switch */
    struct search_simulation simulation;
    /* Private. */
    bool in_region;
    bool first_pass;
    struct software_counters software_before;
};

/*
 * Open what the options ask for. False with error set for a name that does not exist, or when
 * --require-counters cannot be met; usage then says which of the two.
 */
bool search_counters_open(struct search_counters *counters, const struct counter_options *options,
                          struct command_error *error, bool *usage);

/* The same for the child of a simulation, whose simulator writes into folder (kept). */
void search_counters_open_simulation(struct search_counters *counters,
                                     const struct counter_options *options, const char *folder);

/* Whether times mean nothing, because the processor is simulated. */
static inline bool search_counters_simulated(const struct search_counters *counters)
{
    return counters->simulation.folder != NULL;
}

void search_counters_close(struct search_counters *counters);

/* Whether a simulation has made as many instructions as its limit allows. */
bool search_counters_limit_reached(const struct search_counters *counters);

/* How often a search has to be made, and what to do before each time (pass from 0) and at the end.
 */
size_t search_counters_passes(const struct search_counters *counters);
void search_counters_before(struct search_counters *counters, size_t pass);
void search_counters_after(struct search_counters *counters, const struct search_result *result);

/* Add the last search to the total. */
void search_counters_add(struct search_counters *counters);

/* Whether measures.software holds the kernel's accounts: counted, and not in a simulation. */
static inline bool search_counters_have_accounts(const struct search_counters *counters,
                                                 const struct search_measures *measures)
{
    return measures->counted && !search_counters_simulated(counters);
}

/* Whether the last search was disturbed by a context switch. */
bool search_counters_disturbed(const struct search_counters *counters);

/* With --require-counters: whether every counter has a value; else error says which has not. */
bool search_counters_complete(const struct search_counters *counters, struct command_error *error);
