/*
 * counter_report.h - the counters in the report: cells of the table of searches, and a section of
 * the summary with a footnote.
 */
#pragma once

#include "bfs/run/search_counters.h"
#include "perf/report/report.h"

/* What the counters add to the row of the last search. cells: room for COUNTER_CELLS_MAX. Returns
 * how many. */
#define COUNTER_CELLS_MAX (2 * METRICS_MAX + 16)
size_t counter_report_cells(const struct search_counters *counters, struct report_cell *cells);

/* The options of bfs that help somebody who measures. */
extern const struct counter_offers counter_report_offers;

/* The section of the summary. verbose: in text with the kernel's accounts even where there are no
 * counters, which is one line otherwise. */
void counter_report_summary(const struct search_counters *counters, bool verbose,
                            struct report *report);
