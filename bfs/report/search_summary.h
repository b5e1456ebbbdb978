/*
 * search_summary.h - the summary of a run.
 */
#pragma once

#include "search_content.h"

void search_report_summary(struct search_report *search_report, const struct search_totals *totals);
