/*
 * search_report.h - the report of a run: its context, a row per search, its summary.
 *
 * Every column and field is one line in search_report.c, search_context.c or search_summary.c: its
 * name, its title and its value. A new one goes to the end, and appears in all three formats.
 */
#pragma once

#include "search_content.h"

/* Write the context and start the table of searches. */
void search_report_begin(struct search_report *search_report, FILE *out);

/* Write the row of a measured search. False when it could not be written. */
bool search_report_row(struct search_report *search_report, const struct search_row *row);

/* End the table, and write the summary. False when something could not be written. */
bool search_report_end(struct search_report *search_report, const struct search_totals *totals);
