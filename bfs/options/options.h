/*
 * options.h - what the command line of bfs asks for.
 */
#ifndef PW_OPTIONS_H
#define PW_OPTIONS_H

#include "answer_options.h"
#include "counter_options.h"
#include "input_options.h"
#include "perf/program/progress.h"
#include "perf/report/report.h"
#include "search_selection.h"

enum action {
    ACTION_RUN,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST_ALLOCATORS,
    ACTION_LIST_ENGINES,
    ACTION_DOCTOR,
};

struct options {
    struct graph_options input; /* first: input_options.h fills it */
    enum action action;
    const char *graph;     /* file or "generate:..." */
    const char *pairs;     /* file or "random:..." */
    const char *allocator; /* specification, or NULL: the environment's, or malloc */
    const char *engine;    /* NULL: the one that suits */
    struct search_selection only;
    uint64_t trials;     /* at least 1 */
    uint64_t warmups;    /* unreported passes before the trials */
    uint64_t timeout_ns; /* a search; 0: none */
    int cpu;             /* -1: any */
    bool as_published;
    enum report_format format;
    const char *output; /* NULL: standard output */
    enum progress_mode progress;
    bool quiet;
    bool verbose;
    struct answer_options answers;
    struct counter_options counters;
};

/* Read the command line. False with error set when it is not legal. */
bool options_parse(struct options *options, int argument_count, char **arguments,
                   struct command_error *error);

/* Write the text of --help. */
void options_write_help(FILE *out);

#endif
