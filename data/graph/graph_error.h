/*
 * graph_error.h - an error with a graph, as one line that a program can print.
 *
 * The line is "place: rule, value", such as "wiki.mtx:1203: target 3600000 is outside 1..3566907".
 * The first error wins: setting an error that is set already changes nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The option in graph_options that would help, so that a program can name its flag. */
enum graph_remedy {
    GRAPH_REMEDY_NONE,
    GRAPH_REMEDY_COMPACT,    /* compact: the ids are sparse */
    GRAPH_REMEDY_UNDIRECTED, /* undirected: the file says that its edges have no direction */
    GRAPH_REMEDY_NO_NAMES,   /* no names_path: the file has names of its own */
    GRAPH_REMEDY_LIST,       /* a list of nodes that has one between any two commas */
    GRAPH_REMEDY_CSV,        /* format "csv": a column in quotes has several lines */
    GRAPH_REMEDY_ADJACENCY,  /* format "adjacency": the further columns are neighbours */
    GRAPH_REMEDY_COLUMNS,    /* columns: which two columns are the ends of an edge */
    GRAPH_REMEDY_NAMES,      /* format "names": the numbers of the file are names */
    GRAPH_REMEDY_INCOMPLETE, /* wikipedia/: import what there is of a dump that breaks off */
    GRAPH_REMEDY_SWAP,       /* the graph and the pairs, which were given the other way round */
    GRAPH_REMEDIES
};

struct graph_error {
    char message[512]; /* one line without a newline; empty: no error */
    enum graph_remedy remedy;
    bool is_memory; /* there was no room: set if the text begins with "out of memory" */
    bool is_option; /* an option has a value that does not exist, whatever the file is */
};

/*
 * Set "PATH:LINE: text"; lines count from 1, and line 0 gives "PATH: text". error may be NULL.
 * Returns false, for `return graph_fail_line(...)`.
 */
__attribute__((format(printf, 4, 5))) bool graph_fail_line(struct graph_error *error,
                                                           const char *path, uint64_t line,
                                                           const char *format, ...);

#define graph_fail(error, path, ...) graph_fail_line(error, path, 0, __VA_ARGS__)

/*
 * Replace the place "graph" of an error, from a function that does not know the file, by path.
 * Returns false.
 */
bool graph_fail_at(struct graph_error *error, const char *path);

/* Add the words for the remedy of an error, by which a caller names its option; NULL: no words. */
void graph_error_advise(struct graph_error *error, const char *const words[GRAPH_REMEDIES]);

#define GRAPH_QUOTE_SIZE 64

/* Text for a message: in quotes, cut to fit, with bytes that are not printable UTF-8 as \xNN.
 * Returns quoted. */
const char *graph_quote(char quoted[GRAPH_QUOTE_SIZE], const char *text, size_t length);
