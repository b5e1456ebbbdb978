/*
 * answer_options.h - the options of bfs for one question instead of a file of pairs, for what is
 * told of an answer, and for threads.
 */
#ifndef PW_ANSWER_OPTIONS_H
#define PW_ANSWER_OPTIONS_H

#include "perf/program/command_line.h"

/* What lies in huge pages, where the system has them. */
enum huge_pages {
    HUGE_PAGES_GRAPH,
    HUGE_PAGES_ALL, /* the engines' working memory too */
    HUGE_PAGES_NONE,
};

struct answer_options {
    const char *from, *to; /* one question, in names or ids; NULL: PAIRS */
    bool path;             /* tell the path of every answer, checked edge by edge */
    bool verify;           /* compare every answer with the plain search */
    bool all_shortest;     /* count all shortest paths, and list the first list_limit */
    uint64_t list_limit;
    bool histogram;   /* how many nodes lie at each distance */
    bool interactive; /* questions from standard input */
    bool one_search;  /* the threads work on one search together */
    bool pin;         /* each thread on a processor of its own */
    enum huge_pages huge_pages;
};

extern const struct command_group answer_group;
extern const struct command_group parallel_group;

struct options;

/* Whether the options agree with each other. operand_count: GRAPH, and PAIRS where it is given. */
bool answer_options_check(const struct options *options, int operand_count,
                          struct command_error *error);

#endif
