/*
 * reported_run.h - makes the searches of a run, reports each as it ends, and says how the run
 * ended.
 */
#pragma once

#include "search_report.h"

struct reported_run {
    const struct options *options;
    struct progress *progress;
    struct search_report
        report;    /* with options, engine, allocator, threads, inputs, counters set */
    bool is_whole; /* after reported_run: the report is complete */
    /* Private. */
    struct search_totals totals;
    struct graph_error pairs_error; /* of a pipe of pairs */
    bool is_limit_reached;          /* of a simulation */
};

/*
 * Run the selected searches (in a simulation, as many as fit its limit), and write their report to
 * out. Returns the exit status; if it is not EXIT_OK, a message was written.
 */
int reported_run(struct reported_run *run, FILE *out);

/* The report of a run interrupted before its first search, as a text; NULL: no memory. */
char *reported_run_nothing(const struct reported_run *run, size_t *length);
