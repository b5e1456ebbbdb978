/*
 * interactive.h - questions from standard input while the graph stays loaded.
 *
 * A line is a request, its reply a line of JSON, which is flushed before the next line is read.
 *
 *     FROM<tab>TO      the answer: {"from":...,"to":...,"found":true,"hops":3,...}
 *     ?PREFIX          {"completions":[...],"matches":N}
 *     :COMMAND         request.h
 * What cannot be done is {"error":...}, with "suggestions" for a name that no node has.
 */
#pragma once

#include "bfs/pwgraph/pwgraph.h"
#include <stdio.h>

/*
 * Answer until the input ends or a signal asks the program to end. avoided: nodes that no path may
 * have, until the user says otherwise. engine: a name. verify: compare each answer with a plain
 * search. A signal while waiting for a line ends the program. Returns
 * false on failure: if an answer could not be written, write_error is the errno, else 0; if the
 * input could not be read or memory was short, errno says which.
 */
bool interactive_run(const struct pwgraph *graph, const char *engine, const uint32_t *avoided,
                     size_t avoided_count, bool verify, FILE *out, int *write_error);
