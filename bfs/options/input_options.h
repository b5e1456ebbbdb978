/*
 * input_options.h - how GRAPH is read: the options shared by bfs and the graph programs.
 */
#ifndef PW_INPUT_OPTIONS_H
#define PW_INPUT_OPTIONS_H

#include "data/graph/graph.h"
#include "perf/program/command_line.h"

/*
 * A group of options for one program. The set functions are handed the program's whole struct; it
 * begins with a struct graph_options, which they fill.
 */
extern const struct command_group input_option_group;

/* The paragraph of --help that says what may be read, and how much memory it takes. */
extern const char input_formats_help[];

#endif
