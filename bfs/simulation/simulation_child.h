/*
 * simulation_child.h - what bfs hands to itself when it starts again under Valgrind: a folder with
 * the loaded inputs, named in the environment variable SIMULATION_VARIABLE.
 */
#pragma once

#include "bfs/inputs/inputs.h"

#define SIMULATION_VARIABLE "PW_SIMULATION"

/* The folder, if this process is such a child; else NULL. */
const char *simulation_child_folder(void);

/* Write the inputs to the folder. folded_from: the node limit before the graph was made smaller, or
 * 0. False with error set when that failed. */
bool simulation_inputs_write(const char *folder, const struct inputs *inputs, uint32_t folded_from,
                             struct graph_error *error);

/* In the child: read them back. */
bool simulation_inputs_read(const char *folder, struct inputs *inputs, uint32_t *folded_from,
                            struct graph_error *error);
