/*
 * answer_report.h - what a report says of one question beside the search itself.
 */
#pragma once

#include "bfs/engines/parts/distances.h"
#include "bfs/run/run.h"
#include "perf/report/report.h"

/* JSON: the section and the table of all shortest paths of a pair, of which at most list_limit
 * are listed, into an open report. False when out of memory: some are missing. */
bool shortest_paths_report(struct report *report, const struct graph *graph, struct pair pair,
                           uint64_t list_limit);

/* The whole report, in CSV or JSON, of the nodes at each distance from source. False when out of
 * memory, errno being ENOMEM and nothing written, or when it cannot be written: errno says why. */
bool histogram_report(FILE *out, enum report_format format, const struct graph *graph,
                      uint32_t source);

/*
 * The answer to one question in the words of the prompt, for free(3): what the row found, and how
 * many shortest paths there are; or all of them. NULL when out of memory.
 */
char *answer_in_words(const struct options *options, const struct graph *graph,
                      const struct search_row *row, unsigned columns);
