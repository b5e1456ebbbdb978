/*
 * simulation.h - bfs --sim: load natively, predict how long a simulation takes, choose what fits
 * the time, and start bfs again under Valgrind, which reports as always.
 */
#pragma once

#include "bfs/options/options.h"
#include "perf/program/progress.h"

/*
 * Do all that; returns the exit status. arguments: the program's own. engine: known to exist.
 * error is set when the status is not that of the child (and then the message is to be printed).
 */
struct search_engine;
int simulation_run(const struct options *options, char *const *arguments,
                   const struct search_engine *engine, struct progress *progress,
                   struct command_error *error);
