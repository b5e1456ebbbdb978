/*
 * graph_error.h - how the readers fill a struct graph_error: "place: rule, value", first one wins.
 */
#ifndef PW_GRAPH_ERROR_H
#define PW_GRAPH_ERROR_H

#include "graph.h"

/* Set "PATH: text". An error that is already set stays. Returns false, for `return
 * graph_fail(...)`. */
__attribute__((format(printf, 3, 4))) bool graph_fail(struct graph_error *error, const char *path,
                                                      const char *format, ...);

/* Set "PATH:LINE: text"; line counts from 1. An error that is already set stays. Returns false. */
__attribute__((format(printf, 4, 5))) bool graph_fail_line(struct graph_error *error,
                                                           const char *path, uint64_t line,
                                                           const char *format, ...);

/* A failure of "graph", which a function says that is not told where its graph comes from, becomes
 * one of path. Returns false. */
bool graph_fail_at(struct graph_error *error, const char *path);

#define GRAPH_QUOTE_SIZE 64

/* Text as an error message shows it: quoted, cut to fit, what is not printable as \xNN. */
const char *graph_quote(char quoted[GRAPH_QUOTE_SIZE], const char *text, size_t length);

#endif
