/*
 * comparison.h - bfs with several allocators or engines: the same searches, side by side.
 *
 * Every run is a separate process, started as a user would start it, because a process that has
 * searched before does not have fresh memory. The runs are made in turns, so that a slow minute of
 * the machine affects all alike.
 */
#pragma once

#include "bfs/options/options.h"

/* True if the command line names several allocators or several engines. */
bool comparison_is_asked(const struct options *options);

/* Make the runs and write the comparison to the place that the options say. arguments: main's.
 * Returns the exit status; if it is not EXIT_OK, a message was written. */
int comparison_run(const struct options *options, char **arguments, struct progress *progress);
