/*
 * answer_options.h - the options of bfs for one question instead of a file of pairs, and for the
 * details of each answer in the report.
 */
#pragma once

#include "base/program/command_line.h"

#define WITHOUT_MAX 256

/* The values of --without, each a node or several with commas between them. */
struct without_texts {
    const char *items[WITHOUT_MAX];
    size_t count;
};

struct answer_options {
    const char *from, *to;        /* one question, in names or ids; NULL: PAIRS */
    struct without_texts without; /* nodes that no path may have */
    bool path;                    /* report the path of every answer, checked edge by edge */
    bool verify;                  /* compare every answer with the plain search */
    bool all_shortest;            /* count all shortest paths, and list the first list_limit */
    uint64_t list_limit;
    uint64_t longer; /* 1: also count and list the paths with one edge more; else 0 */
    bool histogram;  /* count the nodes at each distance */
};

extern const struct option_row answer_rows[];

/* True if there is a question, so that no PAIRS are read. */
bool answer_options_ask(const struct answer_options *answers);

/* True if the options agree with each other. Else false with error set. */
bool answer_options_check(const struct answer_options *answers, struct command_error *error);
