/*
 * interactive.h - questions from standard input while the graph stays loaded.
 */
#pragma once

#include "bfs/search/search.h"
#include <stdio.h>

/*
 * avoided: nodes that no path may have; the graph then needs its reverse adjacency.
 * Answer until the input ends or a signal asks the program to end. A terminal gets two prompts,
 * completion with Tab and the answer in words; line_editor.h lists the keys. A pipe gets a
 * line protocol:
 *     FROM<tab>TO      {"from":...,"to":...,"found":true,"hops":3,"seconds":...,"path":[...]}
 *     ?PREFIX          {"completions":[...]}, at most 20
 * Two words without a tab work, too, if names have no spaces. A question that cannot be answered
 * gives {"error":...}, with "suggestions" for an unknown name. So does a line of more than 1 MiB,
 * which is not kept. A signal while waiting for a line ends the program. Returns false on failure:
 * if an answer could not be written, write_error is the errno, else 0; if the input could not be
 * read or memory was short, errno says which.
 */
bool interactive_run(const struct graph *graph, const struct search_engine *engine,
                     const uint32_t *avoided, size_t avoided_count, FILE *out, int *write_error);
