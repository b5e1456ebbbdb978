/*
 * interactive.h - questions from standard input, while the graph stays loaded.
 */
#pragma once

#include "bfs/search/search.h"
#include <stdio.h>

/*
 * Answer until the input ends or a signal asks the program to end. A terminal gets two prompts,
 * completion with Tab and the answer in words; the keys are those of line_editor.h. A pipe gets a
 * line protocol:
 *     FROM<tab>TO      {"from":...,"to":...,"found":true,"hops":3,"seconds":...,"path":[...]}
 *     ?PREFIX          {"completions":[...]}, at most 20
 * Two words without a tab serve too where names have no spaces. What cannot be answered gives
 * {"error":...}, with "suggestions" for a name that no node has; so does a line of more than 1 MiB,
 * which is not kept. A signal while a line is awaited ends the program. False when an answer could
 * not be written: then write_error is the errno that says why, else 0; and when out of memory or
 * the input cannot be read: then errno says which.
 */
bool interactive_run(const struct graph *graph, const struct search_engine *engine, FILE *out,
                     int *write_error);
