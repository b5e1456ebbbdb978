/*
 * reported_run.h - the searches of one run, each reported as it ends, and what became of them.
 */
#pragma once

#include "heap_enlarge.h"
#include "search_report.h"

struct reported_run {
    const struct options *options;
    struct progress *progress;
    struct search_report report; /* options, engine, allocator, threads, inputs, counters are set */
    bool is_whole;               /* after reported_run: the report is written to its end */
    /* Private. */
    struct search_totals totals;
    struct heap_enlarge enlarge;
    bool is_limit_reached; /* of a simulation */
};

/*
 * Run the selected searches, in a simulation as many as fit its limit, and write their report to
 * out. Returns the exit status, after a message where it is not EXIT_OK.
 */
int reported_run(struct reported_run *run, FILE *out);

/* The report of a run that was interrupted before its first search, as a text; NULL: no memory. */
char *reported_run_nothing(const struct reported_run *run, size_t *length);
