/*
 * graph_input.h - the options for reading GRAPH, and progress and notes, for every program.
 */
#pragma once

#include "base/program/command_line.h"
#include "base/program/progress.h"
#include "data/graph/graph.h"
#include "data/graph/graph_options.h"

/* The rows of the group "Reading the graph"; they fill a struct graph_options. */
extern const struct option_row graph_input_rows[];

/* The values of --progress, in the order of enum progress_mode. */
#define PROGRESS_WORDS "auto, always, never"

/* For --help: numbers, the formats that are read, and the memory it takes. */
#define GRAPH_INPUT_HELP                                                                           \
    "\n"                                                                                           \
    "Numbers may end in k, M, G or T: powers of 1000; of 1024 for sizes in bytes.\n"               \
    "\n"                                                                                           \
    "Input formats: Matrix Market coordinate; tables of ids or names (CSV, TSV, edge\n"            \
    "lists), whose heading says the ends of an edge; adjacency lists, DIMACS .gr,\n"               \
    "METIS .graph, GraphML, GML, snapshots of graph-convert; compressed with gzip,\n"              \
    "bzip2, xz or zstd; in a tar with one graph; \"-\" is standard input.\n"                       \
    "Weights are ignored.\n"                                                                       \
    "Loading takes at most 9 bytes of memory per edge and 16 per node (14 and 24 with\n"           \
    "the reverse adjacency), 24 per name and its text, and 6 MiB per thread (20 with\n"            \
    "--compact). Unpacking adds up to 66 MiB (xz -9), gzip 1 MiB.\n"

/* Add to an error the option that would help against it. Returns false. */
bool graph_input_advise(struct graph_error *error);

/*
 * graph_load with progress and notes on standard error. A specification "generate:..." is made with
 * the threads of the options, and with its reverse adjacency if they ask for it. If an option of
 * graph_input_rows helps against a note or an error, its text says so.
 */
bool graph_input_load(const char *path, const struct graph_options *options,
                      struct progress *progress, struct graph *graph, struct graph_error *error);

/* True if the options for reading fit GRAPH: a generated one takes none. Else error says why. */
bool graph_input_applies(const struct graph_options *options, const char *graph,
                         struct command_error *error);

/* True if the start of a file declares a graph, in a format that does so. */
bool graph_input_declares(const char *path);

/* True if two files that do not fit as graph and pairs would fit the other way round. Costs as much
 * as loading them. */
bool graph_input_swapped(const char *graph_path, const char *pairs_path,
                         const struct graph_options *options);
