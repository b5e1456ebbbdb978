/*
 * report.h - one set of numbers, written as text for people, as CSV or JSON.
 *
 * A report is a sequence of sections (named values: the context, the summary) and tables (columns
 * and rows: the searches). The caller computes every value once, as a struct report_value, and
 * hands it over; only this code decides how it looks in each format.
 *
 * Text shows everything that has a title; CSV shows one table (from the first report_table_begin)
 * and nothing else; JSON shows everything that has a name. The first write error is remembered, and
 * report_failed returns it.
 */
#pragma once

#include "report_value.h"

#define REPORT_JSON_ONLY 99
#define REPORT_LEFT      1000 /* added to the width: left-aligned */
#define REPORT_BELOW     2000 /* the width: in text wrapped on lines of its own, without a title */
#define REPORT_CELLS_MAX 192

/* A column of a table. */
struct report_column {
    const char *name;  /* in CSV and JSON; NULL: only in text */
    const char *title; /* over the column in text; NULL: not in the lines of text */
    const char *label; /* in a block of text (one line per value); NULL: absent */
    unsigned width;    /* in text, at least the title's; 0: the last, left-aligned */
    unsigned digits;   /* decimals in the lines of text, at most 9; rounded. REPORT_SHORT: in powers
                          of 1000. REPORT_JSON_ONLY: the column appears in JSON alone */
};

/* A column and its value in one row: described once, where the value is computed. */
struct report_cell {
    struct report_column column;
    struct report_value value;
};

/* A cell of a column that is in CSV and JSON alone. */
#define REPORT_DATA(name, value) ((struct report_cell){{name, NULL, NULL, 0, 0}, value})

/* A value of a section. "graph.nodes" is member "nodes" of an object "graph" in JSON; members of
 * one object must be adjacent. */
struct report_field {
    const char *name;  /* in JSON; NULL: only in text */
    const char *label; /* in text; NULL: only in JSON */
    struct report_value value;
};

struct report {
    FILE *out;
    enum report_format format;
    bool lines;            /* text: tables as lines under a heading */
    bool blocks;           /* text: each row as a block of "label value" lines */
    unsigned columns;      /* text: what a line of a section may take; preset by report_open */
    unsigned path_columns; /* the same for REPORT_BELOW and for notes under a table: into a pipe
                              each is one line */
    const char *footnote;  /* text: shown under the next table; or NULL */
    /* Private. */
    bool in_table;
    size_t column_count;
    size_t row_count;
    size_t member_count;                     /* JSON: members of the top object so far */
    bool csv_done;                           /* CSV: the one table is written */
    int error;                               /* errno of a write that failed, or 0 */
    unsigned short widths[REPORT_CELLS_MAX]; /* text: of the columns of the table's lines */
    size_t last_shown;                       /* the column at the end of a line */
};

/* Start a report on a stream, which the caller keeps. schema: JSON's "schema" member. */
void report_open(struct report *report, FILE *out, enum report_format format, const char *schema);

/* A section. name: JSON's member. title: the heading in text; NULL: none. */
void report_section(struct report *report, const char *name, const char *title,
                    const struct report_field *fields, size_t field_count);

/* Text alone: a remark, wrapped. */
void report_note(struct report *report, const char *text);

/* JSON alone: a member whose value is written already. */
void report_json(struct report *report, const char *name, const char *value);

/*
 * A table: begin, rows, end. begin takes the cells of any row and uses only their columns. All rows
 * have the same columns. The cells of the first row decide which columns are in a line of text, and
 * how wide: a title may be NULL if no row will have a value. heading: the first line of a block;
 * may be NULL.
 */
void report_table_begin(struct report *report, const char *name, const struct report_cell *cells,
                        size_t cell_count);
void report_table_row(struct report *report, const char *heading, const struct report_cell *cells,
                      size_t cell_count);
void report_table_end(struct report *report);

/* The width of a cell in a line of text. */
size_t report_cell_width(const struct report_cell *cell);

/* End the report and flush the stream. False if anything could not be written. */
bool report_close(struct report *report);

/* Flush, and the errno of the first write that failed, or 0. */
int report_failed(struct report *report);

/*
 * Write a member of a JSON object that the caller opens and closes, on one line.
 * before: the text in front of it, "{" or ",".
 */
void report_json_member(FILE *out, const char *before, const char *name, struct report_value value);
