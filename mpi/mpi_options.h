/*
 * mpi_options.h - the command line of bfs-mpi.
 */
#pragma once

#include "base/program/command_line.h"
#include "mpi/graph/mpi_load.h"
#include "mpi/search/search_options.h"
#include "mpi/search/search_run.h"

#define PROGRAM_NAME "bfs-mpi"

struct mpi_options {
    struct mpi_load_options load;
    struct search_options search;
    const char *output; /* NULL: standard output */
    unsigned format;    /* an enum report_format */
    bool quiet;
    unsigned action;
    /* Not of the table. */
    enum mpi_engine engine;
    const char *graph;
    const char *pairs; /* NULL: search.from and search.to; or load the graph and describe it */
    bool in_words;     /* the answer to a question, without a report */
};

extern const struct command mpi_command;

/* Read the command line. False with error set: wrong usage. */
bool mpi_options_read(struct mpi_options *options, char **arguments, struct command_error *error);
