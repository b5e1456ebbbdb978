/*
 * operands.h - checks that GRAPH and PAIRS fit their places.
 */
#pragma once

#include "options.h"

/* Check as much as possible before loading. False with error set if something is not legal. */
bool operands_check(const struct options *options, struct command_error *error);

/* True if the files to write (the report, and the outputs of allocators) differ from each other and
 * from all inputs, which allocators have, too. Else false with error set. */
bool operands_spare(const struct options *options, struct command_error *error);

/* The pairs do not fit the graph. If they would fit with the arguments swapped, error says that. */
void operands_explain(const struct options *options, struct graph_error *error);
