/*
 * simulation_child.h - what bfs is told when it starts itself under Valgrind: the inputs, already
 * loaded, through a file descriptor; a folder; how many searches to make.
 *
 * The environment variable PW_SIMULATION holds it as FD:COUNT:FOLDER.
 */
#ifndef PW_SIMULATION_CHILD_H
#define PW_SIMULATION_CHILD_H

#include "inputs.h"

#define SIMULATION_VARIABLE   "PW_SIMULATION"
#define SIMULATION_DESCRIPTOR 3 /* the inputs, in the child */

struct simulation_child {
    int inputs;           /* descriptor */
    size_t search_count;  /* the first so many of those selected */
    const char *folder;   /* for the simulator's files */
    uint32_t folded_from; /* node_limit before the graph was made smaller, or 0 */
};

/* Whether this process is such a child; then child is filled. */
bool simulation_child_read(struct simulation_child *child);

/* Write inputs to a descriptor, and read them back. folded_from: see above. */
bool simulation_inputs_write(int descriptor, const struct inputs *inputs, uint32_t folded_from);
bool simulation_inputs_read(struct simulation_child *child, struct inputs *inputs,
                            struct graph_error *error);

#endif
