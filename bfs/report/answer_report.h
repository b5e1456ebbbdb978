/*
 * answer_report.h - what a report says of one question beside the search itself.
 */
#pragma once

#include "bfs/run/inputs.h"
#include "perf/report/report.h"

/* The section and the table of all shortest paths of a pair, of which at most list_limit are
 * listed, into an open report. False when out of memory: some are missing. */
bool shortest_paths_report(struct report *report, const struct graph *graph, struct pair pair,
                           uint64_t list_limit);

/* The whole report of the nodes at each distance from source, but for report_close. False when out
 * of memory; then nothing is written. */
bool histogram_report(struct report *report, FILE *out, enum report_format format,
                      const struct graph *graph, uint32_t source);
