/*
 * interactive.h - questions from standard input while the graph stays loaded.
 */
#pragma once

#include "bfs/search/search.h"
#include <stdio.h>

/*
 * Answer until the input ends or a signal asks the program to end: on a terminal in words
 * (prompt.h), in a pipe by lines of JSON (protocol.h). avoided: nodes that no path may have, until
 * the user says otherwise; the graph then needs its reverse adjacency. verify: compare each answer
 * with a plain search. A signal while waiting for a line ends the program. Returns false on
 * failure: if an answer could not be written, write_error is the errno, else 0; if the input could
 * not be read or memory was short, errno says which.
 */
bool interactive_run(const struct graph *graph, const struct search_engine *engine,
                     const uint32_t *avoided, size_t avoided_count, bool verify, FILE *out,
                     int *write_error);
