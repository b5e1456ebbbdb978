/*
 * options.h - the settings from the command line of bfs.
 */
#pragma once

#include "answer_options.h"
#include "base/program/progress.h"
#include "base/report/report.h"
#include "counter_options.h"
#include "data/graph/graph.h"
#include "data/graph/graph_options.h"
#include "search_selection.h"

/* Actions of bfs beside --help and --version. */
enum { ACTION_LIST_ALLOCATORS = ACTION_OWN, ACTION_LIST_ENGINES, ACTION_DOCTOR };

/* How N threads divide the work. */
enum parallel {
    PARALLEL_PAIRS,  /* each thread runs whole searches */
    PARALLEL_SEARCH, /* all threads work on one search */
};

/* How the nodes are numbered inside. */
enum order {
    ORDER_FILE, /* as the file does, or the snapshot */
    ORDER_AUTO, /* in the cache, as a search meets them */
};

/* What to place in huge pages, if the system has them. */
enum huge_pages {
    HUGE_PAGES_GRAPH,
    HUGE_PAGES_ALL, /* the engines' working memory too */
    HUGE_PAGES_NONE,
};

/* How a run reports. */
struct report_options {
    enum report_format format;
    const char *output; /* NULL: standard output */
    enum progress_mode progress;
    bool quiet;
    bool verbose;
    bool answers_at_once;  /* PAIRS is a pipe, and each pair is searched when it comes */
    bool answer_alone;     /* one question, answered without a report */
    uint32_t groups_given; /* the groups of --help with an option given, as bits (command_line.h) */
};

struct options {
    unsigned action;       /* ACTION_RUN, ACTION_HELP, ... */
    const char *graph;     /* file or "generate:..." */
    const char *pairs;     /* file or "random:..." */
    const char *allocator; /* specification, or NULL: the environment's, or malloc */
    const char *engine;    /* never NULL after options_parse */
    const char *only;      /* search_selection.h; NULL: every search */
    uint64_t trials;       /* at least 1 */
    bool trials_given;
    uint64_t warmups;    /* unreported passes before the trials */
    uint64_t timeout_ns; /* per search; 0: none */
    int cpu;             /* -1: any */
    bool as_published;
    enum parallel parallel;
    bool pin; /* each thread on its own processor */
    enum huge_pages huge_pages;
    enum order order;
    struct report_options report;
    struct graph_options input;
    struct answer_options answers;
    struct counter_options counters;
};

/* The table of all options of bfs, and the texts around it. */
extern const struct command bfs_command;

/* Read the command line. False with error set when it is not legal. */
bool options_parse(struct options *options, char **arguments, struct command_error *error);
