/*
 * inputs.h - the graph and the pairs that a command line names.
 */
#ifndef PW_INPUTS_H
#define PW_INPUTS_H

#include "options.h"
#include "pairs.h"

struct inputs {
    struct graph graph;
    struct pairs pairs;
    uint64_t load_ns; /* for both */
};

/* Check what can be checked before loading. False with error set when it is not legal. */
bool inputs_check(const struct options *options, struct command_error *error);

/* Load both. False with error set, nothing kept. Freed with inputs_free. */
bool inputs_load(const struct options *options, struct inputs *inputs, struct graph_error *error);

/* Fine for an all-zero struct. */
void inputs_free(struct inputs *inputs);

#endif
