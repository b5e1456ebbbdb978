/*
 * bench_table.h - a table of texts and numbers, written as text, CSV, JSON, Markdown or HTML.
 *
 * A cell is formatted once, when it is added; every format shows the same digits. A cell that is
 * not known is "-" in text and pages, empty in CSV and null in JSON. Running out of memory is
 * remembered and told by bench_table_failed.
 */
#ifndef PW_BENCH_TABLE_H
#define PW_BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define BENCH_COLUMNS_MAX 64

struct bench_column {
    char name[40]; /* in CSV and JSON */
    char head[40]; /* elsewhere */
};

struct bench_table {
    char name[40];   /* file name and JSON member */
    char title[160]; /* one line */
    bool data_only;  /* not in text and pages: too long for people */
    size_t column_count;
    struct bench_column columns[BENCH_COLUMNS_MAX];
    char **cells; /* row by row; NULL: not known */
    size_t cell_count, cell_capacity;
    bool failed;
};

__attribute__((format(printf, 3, 4))) void
bench_table_open(struct bench_table *table, const char *name, const char *title, ...);
void bench_table_close(struct bench_table *table);

void bench_table_column(struct bench_table *table, const char *name, const char *head);

/* Add the next cell; rows follow from the number of columns. */
__attribute__((format(printf, 2, 3))) void bench_table_text(struct bench_table *table,
                                                            const char *format, ...);
/* digits: behind the point. NaN is not known. */
void bench_table_number(struct bench_table *table, double value, int digits);
void bench_table_unknown(struct bench_table *table);

size_t bench_table_rows(const struct bench_table *table);
const char *bench_table_cell(const struct bench_table *table, size_t row, size_t column);

enum bench_format { BENCH_TEXT, BENCH_CSV, BENCH_JSON, BENCH_MARKDOWN, BENCH_HTML };

/* JSON: an array of objects. */
void bench_table_write(const struct bench_table *table, enum bench_format format, FILE *out);

/* A text as a JSON string, quotes included, or with HTML's characters escaped. */
void bench_write_json_string(FILE *out, const char *text);
void bench_write_html(FILE *out, const char *text);

#endif
