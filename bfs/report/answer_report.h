/*
 * answer_report.h - the answer to one question: alone, or in the report on its search.
 */
#pragma once

#include "base/report/report.h"
#include "bfs/answers/answer.h"
#include "bfs/inputs/inputs.h"
#include "bfs/options/options.h"
#include "bfs/run/run.h"

/*
 * Answer a question, and write nothing but the answer, in text, JSON or DOT. False with error
 * set: out of memory, or what asker_ask refuses; the output is then not whole.
 */
bool answer_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                  struct asker *asker, struct progress *progress, struct command_error *error);

/* Find the nodes at each distance from the source, and write nothing else. False with error set. */
bool histogram_alone(FILE *out, const struct options *options, const struct inputs *inputs,
                     struct asker *asker, struct command_error *error);

/*
 * The answer to one question for its report, for free(3): the row's result, and what is known
 * beside it; in text words wrapped at `columns`, in JSON the object of the answer alone. NULL when
 * out of memory.
 */
char *answer_of_row(const struct options *options, const struct inputs *inputs,
                    const struct search_row *row, unsigned columns);

/* All shortest paths of a row's pair, for pwgraph_paths_free. NULL when out of memory. */
struct pwgraph_paths *answer_paths_of_row(const struct inputs *inputs,
                                          const struct search_row *row);
