/*
 * comparison.h - bfs with several allocators or engines: the same searches with each, side by side.
 *
 * Every run is a process of its own, started as a user would start it, because the memory of a
 * process that has searched before is no longer that of a fresh one. The runs are made in turns, so
 * that a slow minute of the machine hits all alike.
 */
#pragma once

#include "bfs/options/options.h"

/* Whether the command line names several allocators or several engines. */
bool comparison_is_asked(const struct options *options);

/* Make the runs and write the comparison where the options say. arguments: main's. Returns the
 * exit status, after a message where it is not EXIT_OK. */
int comparison_run(const struct options *options, char **arguments, struct progress *progress);
