/*
 * request.h - a line that somebody writes: a question, or a command.
 *
 * A command is ":WORD", perhaps "=OPTION", and after a blank or a tab its text: ":all=3 Laos ->
 * Poland". All that begins with a colon is a command, as no title of a wiki does; ":ask" asks for
 * names that begin so in other graphs.
 */
#pragma once

#include "base/program/command_error.h"
#include "bfs/pwgraph/pwgraph.h"

#define LIST_MAX     1000 /* paths or names of one answer; nodes to avoid */
#define NAMES_LISTED 20   /* completions without an option */

enum request_kind {
    REQUEST_ASK,
    REQUEST_ALL,
    REQUEST_BACK,
    REQUEST_HISTOGRAM,
    REQUEST_AVOID,
    REQUEST_COMPLETE,
    REQUEST_RANDOM,
    REQUEST_COUNT,
    REQUEST_HELP,
    REQUEST_KINDS
};

struct request {
    enum request_kind kind;
    char *text;               /* what comes after the command; "" for nothing */
    size_t limit;             /* how many paths or names to list */
    enum pwgraph_order order; /* of completions */
    uint64_t seed;            /* of a random pair, if has_seed */
    bool has_seed;
    bool clears;                                         /* the list of nodes to avoid is emptied */
    enum { COUNT_AS_BEFORE, COUNT_YES, COUNT_NO } count; /* what beside the path is counted */
};

/* How a command is written, and what it does: for its users. */
struct request_help {
    const char *usage, *does;
};
extern const struct request_help request_helps[REQUEST_KINDS];

/* True if a line is a command. */
static inline bool request_is_command(const char *line)
{
    return line[0] == ':';
}

/* Read a command; the line is borrowed and changed. False with error set: there is none such, or it
 * does not take what is written. */
bool request_read(char *line, struct request *request, struct command_error *error);

/* A question; the text is borrowed. */
struct request request_question(char *text);

/* Completion of a prefix, as after "?". */
struct request request_completion(char *prefix);
