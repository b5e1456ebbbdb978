/*
 * allocbench_options.h - the command line of allocbench.
 */
#pragma once

#include "base/program/command_line.h"
#include "bench_parameters.h"

enum allocbench_format { ALLOCBENCH_TEXT, ALLOCBENCH_CSV };

struct allocbench_options {
    struct bench_parameters parameters;
    const char *allocators; /* NULL: the experiment's */
    uint64_t runs;          /* 0: the experiment's */
    uint64_t seed;
    bool as_published, quiet;
    unsigned action;    /* ACTION_RUN, ACTION_HELP, ... */
    unsigned format;    /* enum allocbench_format */
    const char *folder; /* NULL: no files */
};

enum { ACTION_LIST_ALLOCATORS = ACTION_OWN };

/* The list of experiments comes before its --help. */
extern const struct command allocbench_command;

/* The options that one experiment, "record" or "check" has, as in --help. */
void allocbench_write_help(FILE *out, const char *name);

void allocbench_defaults(struct allocbench_options *options);

/* Set the parameters that were left out and depend on the experiment. */
void allocbench_complete(struct allocbench_options *options, const char *experiment);
