/*
 * answer_report.h - the report on one question, beyond the search itself.
 */
#pragma once

#include "base/report/report.h"
#include "bfs/answers/answer.h"
#include "bfs/engines/parts/distances.h"
#include "bfs/inputs/inputs.h"
#include "bfs/options/options.h"
#include "bfs/run/run.h"

/* A question as it is before its search: a pair, and the nodes to avoid. */
struct answer answer_asked(const struct inputs *inputs, struct pair pair);

/* The number of all shortest paths: an integer, or from 2^64 - 1 on a text of its digits. NULL
 * is unknown. */
struct report_value path_count_value(const struct path_graph *paths);

/* JSON: the section and the table of all shortest paths of a pair, at most list_limit of them, into
 * an open report. False when out of memory: some are missing. */
bool shortest_paths_report(struct report *report, const struct inputs *inputs, struct pair pair,
                           uint64_t list_limit);

/* Write the whole report, in CSV or JSON, of the nodes at each distance from source. On failure
 * false: errno is ENOMEM when out of memory (nothing is written), else the error of writing. */
bool histogram_report(FILE *out, enum report_format format, const struct graph *graph,
                      uint32_t source);

/*
 * The answer to one question in the words of the prompt, for free(3): the row's result, and the
 * number of shortest paths; or all of them. NULL when out of memory.
 */
char *answer_in_words(const struct options *options, const struct inputs *inputs,
                      const struct search_row *row, unsigned columns);
