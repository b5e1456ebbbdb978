/*
 * operands.h - whether GRAPH and PAIRS are what their places ask for.
 */
#pragma once

#include "options.h"

/* Check what can be checked before loading. False with error set when it is not legal. */
bool operands_check(const struct options *options, struct command_error *error);

/* Whether the files to write, the report and what allocators write, are no inputs, which allocators
 * have too, nor one another. Else false with error set. */
bool operands_spare(const struct options *options, struct command_error *error);

/* The pairs do not fit the graph: where both fit the other way round, error says that instead. */
void operands_explain(const struct options *options, struct graph_error *error);
