/*
 * answer_report.h - what is told of one question beside the search itself.
 */
#ifndef PW_ANSWER_REPORT_H
#define PW_ANSWER_REPORT_H

#include "search_report.h"

/* The section and the table of --all-shortest, into an open report. */
void shortest_report_write(struct search_report *search_report);

/* The whole report of --histogram. False, error telling, when out of memory or when it could not be
 * written. */
bool histogram_write(struct search_report *search_report, FILE *out, struct command_error *error);

#endif
