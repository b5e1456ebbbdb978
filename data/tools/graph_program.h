/*
 * graph_program.h - what graph-convert and graph-info share: options for reading a graph, progress
 * and remarks on standard error, Ctrl-C.
 */
#ifndef PW_GRAPH_PROGRAM_H
#define PW_GRAPH_PROGRAM_H

#include "data/graph/graph.h"

#include <getopt.h>

enum { PROGRAM_OK = 0, PROGRAM_FAILED = 1, PROGRAM_USAGE = 2 };

/* The values of the shared options; a program's own start at OPTION_OWN. */
enum {
    OPTION_INPUT_FORMAT = 256,
    OPTION_NAMES,
    OPTION_COMPACT,
    OPTION_REVERSE,
    OPTION_UNDIRECTED,
    OPTION_THREADS,
    OPTION_MEMORY_LIMIT,
    OPTION_VERIFY,
    OPTION_PROGRESS,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_OWN
};

#define PROGRAM_SHARED_OPTIONS                                                                     \
    {"input-format", required_argument, NULL, OPTION_INPUT_FORMAT},                                \
        {"names", required_argument, NULL, OPTION_NAMES},                                          \
        {"compact", no_argument, NULL, OPTION_COMPACT},                                            \
        {"reverse", no_argument, NULL, OPTION_REVERSE},                                            \
        {"undirected", no_argument, NULL, OPTION_UNDIRECTED},                                      \
        {"threads", required_argument, NULL, OPTION_THREADS},                                      \
        {"memory-limit", required_argument, NULL, OPTION_MEMORY_LIMIT},                            \
        {"verify", no_argument, NULL, OPTION_VERIFY},                                              \
        {"progress", required_argument, NULL, OPTION_PROGRESS},                                    \
        {"quiet", no_argument, NULL, OPTION_QUIET}, {"help", no_argument, NULL, OPTION_HELP},      \
    {                                                                                              \
        "version", no_argument, NULL, OPTION_VERSION                                               \
    }

/* The lines of --help for them. */
#define PROGRAM_SHARED_HELP                                                                        \
    "      --input-format NAME   edges, matrix-market, dimacs, metis or names (default: told by\n" \
    "                            the content)\n"                                                   \
    "      --names FILE          names of the nodes, line k that of node k\n"                      \
    "      --compact             renumber sparse ids; those of the file are remembered\n"          \
    "      --reverse             turn every edge round\n"                                          \
    "      --undirected          take every edge in both directions\n"                             \
    "      --threads N           threads to read with (default: one a processor)\n"                \
    "      --memory-limit BYTES  refuse a graph that needs more to load, such as 8G (default:\n"   \
    "                            the memory available)\n"                                          \
    "      --verify              check the checksums of a snapshot\n"                              \
    "      --progress WHEN       auto (on a terminal), always or never (default: auto)\n"          \
    "      --quiet               no remarks and no progress\n"                                     \
    "      --help                this text\n"                                                      \
    "      --version             the version\n"

struct graph_program {
    const char *name; /* for messages */
    struct graph_options options;
    bool quiet, show_progress;
    bool shown; /* a line of progress is on the terminal */
};

/* Prepare: defaults, SIGINT and SIGTERM. */
void graph_program_init(struct graph_program *program, const char *name);

/* Take one of the shared options. False after a message when its value is not legal. */
bool graph_program_option(struct graph_program *program, int option, const char *value);

/* Load a graph; false after a message. */
bool graph_program_load(struct graph_program *program, const char *path, struct graph *graph);

/* A message on standard error; returns the status. */
int graph_program_fail(struct graph_program *program, int status, const char *message);

/* The last call: the status, or that of a failure, after a message, when output was lost. */
int graph_program_finish(struct graph_program *program, int status);

/* The exit status of a failure: 130 after Ctrl-C, else 1. */
int graph_program_failed_status(void);

/* A number without a sign, at most max. False after a message. */
bool graph_program_number(struct graph_program *program, const char *option, const char *value,
                          uint64_t max, uint64_t *number);

#endif
