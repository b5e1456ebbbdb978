/*
 * csv_child.h - a child process that reports in CSV; cells are found by the names of their columns.
 *
 *     csv_child_start -> csv_child_heading -> csv_child_row, until false -> csv_child_close
 */
#pragma once

#include "child.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define CSV_CHILD_COLUMNS_MAX 16

struct csv_child {
    pid_t process;
    FILE *in;
    char *line;
    size_t line_size;
    size_t column_count;
    size_t places[CSV_CHILD_COLUMNS_MAX]; /* of the columns in a line, from 0 */
    char *cells[CSV_CHILD_COLUMNS_MAX];   /* of the last row; "" where it is too short */
};

/* Start a program with these words, and watch it (child_watch). It gets no standard input, and its
 * standard output is a pipe. Returns 0, or an errno; then there is nothing to close. */
int csv_child_start(struct csv_child *child, const char *program, const struct child_words *words);

/* Read the heading. True if it has all columns; the cells of a missing one stay "". */
bool csv_child_heading(struct csv_child *child, const char *const names[], size_t count);

/* Read a row into cells, which are valid until the next call. False: no more rows. */
bool csv_child_row(struct csv_child *child);

/* Close the pipe and free the line. The caller waits for the process (child.h). */
void csv_child_close(struct csv_child *child);
