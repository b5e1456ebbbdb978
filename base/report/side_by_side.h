/*
 * side_by_side.h - the columns of a table that sets times side by side, and the words under it.
 *
 * Every program that compares times has these columns and this explanation: the median over the
 * rounds, its spread, and how many times as fast as the first case, with the interval of that.
 */
#pragma once

#include "report.h"

#define SIDE_CELLS 9 /* that side_cells adds */

/* The times of a case, in nanoseconds, of whole rounds; of the first case the same array twice. */
struct side_times {
    const double *base, *own;
    size_t rounds;
    double *scratch; /* room for a number per round */
};

/* A text that must last until the row is written. */
struct side_text {
    char speed[4 * TEXT_FORM_SIZE];
};

/* Add SIDE_CELLS cells; in text "median", "spread" and "times as fast". Returns SIDE_CELLS. */
size_t side_cells(struct report_cell *cells, const struct side_times *times,
                  struct side_text *text);

/* Text: a note that says what the columns mean. base: the name of the first case; more: how to ask
 * for more than one round, "--trials=5". */
void side_explain(struct report *report, const char *base, size_t rounds, const char *more);
