/*
 * simulation.h - bfs --sim: loads natively, predicts the time of a simulation, chooses what fits
 * the limit, and starts bfs again under Valgrind, which reports as always.
 */
#pragma once

#include "base/program/progress.h"
#include "bfs/options/options.h"

/*
 * Do all that; returns the exit status. arguments: the program's own. engine: known to exist. If
 * the status is not the child's, error is set, and its message must be printed.
 */
struct search_engine;
int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error);
