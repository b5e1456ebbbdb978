/*
 * report.h - one set of numbers, written as text for people, as CSV or as JSON.
 *
 * A report is a sequence of sections (named values: the context, the summary) and tables (columns
 * and rows: the searches). The caller computes every value once, as a struct report_value, and
 * hands it over; how it looks in which format is decided here and nowhere else. Numbers are
 * integers or decimals with a fixed number of digits, made from integers, so no locale can change
 * them. A value that is not known is an empty cell in CSV, null in JSON and a dash in text.
 *
 * Text shows everything that has a title; CSV shows one table (that of the first
 * report_table_begin) and nothing else; JSON shows everything that has a name. JSON is valid
 * whatever the bytes of a text are: control characters are escaped, what is not UTF-8 is replaced
 * by U+FFFD. Write errors are remembered and told by report_failed.
 */
#ifndef PW_REPORT_H
#define PW_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum report_format { REPORT_FORMAT_TEXT, REPORT_FORMAT_CSV, REPORT_FORMAT_JSON };

enum report_kind { REPORT_UNKNOWN, REPORT_INTEGER, REPORT_DECIMAL, REPORT_BYTES, REPORT_TEXT };

struct report_value {
    enum report_kind kind;
    unsigned digits;  /* DECIMAL: digits after the point, at most 9 */
    uint64_t number;  /* INTEGER and BYTES; DECIMAL: the value times ten to the power of digits */
    const char *text; /* TEXT: borrowed until the call returns */
};

static inline struct report_value report_unknown(void)
{
    return (struct report_value){.kind = REPORT_UNKNOWN};
}

static inline struct report_value report_integer(uint64_t number)
{
    return (struct report_value){.kind = REPORT_INTEGER, .number = number};
}

/* An integer in CSV and JSON; in text with its size in KiB, MiB or GiB behind it. */
static inline struct report_value report_bytes(uint64_t number)
{
    return (struct report_value){.kind = REPORT_BYTES, .number = number};
}

static inline struct report_value report_decimal(uint64_t scaled, unsigned digits)
{
    return (struct report_value){.kind = REPORT_DECIMAL, .number = scaled, .digits = digits};
}

/* Nanoseconds as seconds with nine digits. */
static inline struct report_value report_seconds(uint64_t elapsed_ns)
{
    return report_decimal(elapsed_ns, 9);
}

/* NULL is unknown. */
static inline struct report_value report_text(const char *text)
{
    return text != NULL ? (struct report_value){.kind = REPORT_TEXT, .text = text}
                        : report_unknown();
}

/* count per second as a decimal of three digits; unknown when no time passed. */
struct report_value report_rate(uint64_t count, uint64_t elapsed_ns);

#define REPORT_JSON_ONLY 99

/* A column of a table. */
struct report_column {
    const char *name;  /* in CSV and JSON; NULL: only in text */
    const char *title; /* over the column in text; NULL: not in the lines of text */
    const char *label; /* in a block of text (one line a value); NULL: not there */
    unsigned width;    /* in text, at least that of the title; 0: the last, aligned to the left */
    unsigned digits;   /* decimals in the lines of text, at most 9; rounded. REPORT_JSON_ONLY: the
                          column appears in JSON alone */
};

/* A value of a section. "graph.nodes" is member "nodes" of an object "graph" in JSON; members of
 * one object stand together. */
struct report_field {
    const char *name;  /* in JSON; NULL: only in text */
    const char *label; /* in text; NULL: only in JSON */
    struct report_value value;
};

struct report {
    FILE *out;
    enum report_format format;
    bool lines;  /* text: tables as lines under a heading */
    bool blocks; /* text: each row as a block of "label value" lines */
    /* Private. */
    const struct report_column *columns;
    size_t column_count;
    size_t row_count;
    size_t member_count; /* JSON: members of the top object so far */
    bool csv_done;       /* CSV: the one table is written */
    int error;           /* errno of the first write that failed, or 0 */
};

/* Begin a report on a stream, which stays the caller's. schema: JSON's "schema" member. */
void report_open(struct report *report, FILE *out, enum report_format format, const char *schema);

/* A section. name: JSON's member. title: the heading in text; NULL: none. */
void report_section(struct report *report, const char *name, const char *title,
                    const struct report_field *fields, size_t field_count);

/* A table: begin, rows, end. columns must stay as they are until the end. */
void report_table_begin(struct report *report, const char *name,
                        const struct report_column *columns, size_t column_count);
/* values: one per column. heading: the first line of a block; may be NULL. */
void report_table_row(struct report *report, const char *heading,
                      const struct report_value *values);
void report_table_end(struct report *report);

/* End the report and flush the stream. False when anything could not be written. */
bool report_close(struct report *report);

/* Flush, and the errno of the first write that failed, or 0. */
int report_failed(struct report *report);

/* Write a value as the given format shows it, without quotes of CSV or JSON around numbers. */
void report_write_value(FILE *out, enum report_format format, struct report_value value);

#endif
