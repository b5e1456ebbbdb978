/*
 * hand_loading.h - loops that read a graph's file, each timed once and printed as CSV.
 *
 * Each returns whether it could; where it could not, one line on standard error says why.
 */
#ifndef PW_HAND_LOADING_H
#define PW_HAND_LOADING_H

#include <stdbool.h>

bool hand_read(char **arguments);   /* FILE */
bool hand_fscanf(char **arguments); /* FILE */
bool hand_rows(char **arguments);   /* FILE */
bool hand_load(char **arguments);   /* FILE THREADS, then "reverse" or "out" */

/* Say what failed, as in "bench-hand: graph.mtx: No such file or directory"; returns false. */
bool hand_failed(const char *what, const char *why);

#endif
