/*
 * bench_table.h - a table that an experiment fills and base/report writes.
 *
 * A column has a fixed number of decimals, so a figure shows the same digits in every format. Cells
 * are added one after the other; a row ends when every column has one. NaN means not known. When
 * memory runs out, cells are dropped and failed is set.
 */
#pragma once

#include "base/report/report.h"
#include "base/report/samples.h"

#define BENCH_COLUMNS_MAX 80

/* What a column has if it has no numbers: texts, or spreads with one digit after the point. */
enum bench_kind { BENCH_TEXT = -1, BENCH_PERCENT = -2, BENCH_UNIT = -3 };

struct bench_column {
    char name[40]; /* in CSV and JSON */
    char head[40]; /* in text and on pages */
    int digits;    /* after the point, at most 9, or an enum bench_kind */
};

/* A column with the spread of the one before, half the distance of its quartiles, in percent or in
 * the figure's own unit. In text a figure not larger than its spread is marked "~". */
#define BENCH_SPREAD(name)                                                                         \
    {                                                                                              \
        name, "+-%", BENCH_PERCENT                                                                 \
    }
#define BENCH_SPREAD_UNIT(name)                                                                    \
    {                                                                                              \
        name, "+-", BENCH_UNIT                                                                     \
    }

struct bench_table {
    const char *name; /* file name and JSON member */
    char title[160];  /* one line */
    bool data_only;   /* not in text and on pages: too long for people */
    size_t column_count;
    struct bench_column columns[BENCH_COLUMNS_MAX];
    struct report_value *cells; /* row by row; the table owns the texts */
    double last_number;         /* the number that was added last */
    size_t cell_count, cell_capacity;
    bool failed;
};

void bench_table_close(struct bench_table *table);

/* Add a column, before the first cell. name NULL: the same as the head. */
void bench_add_column(struct bench_table *table, const char *name, const char *head, int digits);

/* Add the next cell; or the rest of a row: one text, and numbers for all later columns. */
void bench_add_text(struct bench_table *table, const char *text);
void bench_add_number(struct bench_table *table, double value);
void bench_add_row(struct bench_table *table, const char *text, const double *values);

/* The next cell is a median over unit; the cell after it is the spread, if its column is for
 * that. */
void bench_add_summary(struct bench_table *table, struct samples_summary summary, double unit);

size_t bench_table_rows(const struct bench_table *table);

/* Write a table into an open report; in text with its title. */
void bench_table_write(const struct bench_table *table, struct report *report);
