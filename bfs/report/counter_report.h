/*
 * counter_report.h - the counters in the report: cells of the table of searches, and a section of
 * the summary with a footnote.
 */
#pragma once

#include "base/report/report.h"
#include "counters/region_counters.h"

/*
 * Add the counters to the row of the last search, if the machine counts or they were asked for by
 * name. is_alone: searches are made one at a time; else there is no account of the kernel for each.
 * All rows of a run have the same cells. cells: room for COUNTER_CELLS_MAX. Returns how many were
 * added.
 */
#define COUNTER_CELLS_MAX (2 * METRICS_MAX + 16)
size_t counter_report_cells(const struct region_counters *counters, bool is_alone,
                            struct report_cell *cells);

/* The options of bfs that help somebody who measures. */
extern const struct counter_offers counter_report_offers;

/* Write the section of the summary. Without counters it is one line in text; in JSON it has the
 * kernel's accounts and a note that says why, and there are no events. verbose adds the accounts.
 * is_alone: as above. */
void counter_report_summary(const struct region_counters *counters, bool is_alone, bool verbose,
                            struct report *report);
