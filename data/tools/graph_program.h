/*
 * graph_program.h - the common parts of the graph programs: options, progress, Ctrl-C, the end.
 */
#pragma once

#include "data/graph/graph_options.h"
#include "graph_input.h"

/* A member of the program's own struct of options. */
struct graph_program {
    struct graph_options input;
    unsigned action; /* ACTION_RUN, ACTION_HELP, ... */
    enum progress_mode progress_mode;
    bool quiet;
    struct progress progress;
};

/* The last group of options of graph-convert and graph-info; they fill a struct graph_program. */
extern const struct option_row graph_program_rows[];

/*
 * Read the command line into options, which contain program. operands: all of operand_count must
 * be given; expected names them for the message. Returns -1 to go on, or the exit status, after
 * the help or a message.
 */
int graph_program_open(struct graph_program *program, const struct command *command, void *options,
                       char **arguments, const char **operands, int operand_count,
                       const char *expected);

/* Load a graph; false after a message. */
bool graph_program_load(struct graph_program *program, const char *path, struct graph *graph);

/* Write a message on standard error. Returns the exit status: 130 after Ctrl-C, else 1. */
int graph_program_fail(struct graph_program *program, const char *message);

/* The last call of a successful run: EXIT_OK, or after a message the status of lost output. */
int graph_program_finish(struct graph_program *program);
