/*
 * simulation_child.h - what bfs hands to itself when it starts again under Valgrind: the inputs,
 * already loaded, as file descriptor SIMULATION_DESCRIPTOR; and a folder for the simulator's files,
 * in the environment variable SIMULATION_VARIABLE.
 */
#pragma once

#include "bfs/run/inputs.h"

#define SIMULATION_VARIABLE   "PW_SIMULATION"
#define SIMULATION_DESCRIPTOR 3

struct simulation_child {
    const char *folder;   /* NULL: this process is no such child */
    size_t search_count;  /* how many of those selected to make, from the first */
    uint32_t folded_from; /* node_limit before the graph was made smaller, or 0 */
};

/* The folder, where this process is such a child, else NULL. */
const char *simulation_child_folder(void);

/* Write the inputs and the two numbers of child to a descriptor, and rewind it. False with errno
 * set when that failed. */
bool simulation_inputs_write(int descriptor, const struct inputs *inputs,
                             const struct simulation_child *child);

/* In the child: read them back. */
bool simulation_inputs_read(struct simulation_child *child, struct inputs *inputs,
                            struct graph_error *error);
