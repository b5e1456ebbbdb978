/*
 * report_value.h - one value of a report, and how it looks as text, in CSV and in JSON.
 *
 * Numbers are integers or decimals with a fixed number of digits, made from integers, so no locale
 * can change them. A value that is not known is an empty cell in CSV, null in JSON and a dash in
 * text. JSON is valid whatever the bytes of a text are: control characters are escaped, what is not
 * UTF-8 is replaced by U+FFFD.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum report_format { REPORT_FORMAT_TEXT, REPORT_FORMAT_CSV, REPORT_FORMAT_JSON };

enum report_kind {
    REPORT_UNKNOWN,
    REPORT_BOOLEAN,
    REPORT_INTEGER,
    REPORT_DECIMAL,
    REPORT_BYTES,
    REPORT_TEXT
};

struct report_value {
    enum report_kind kind;
    bool negative;    /* DECIMAL: below zero */
    unsigned digits;  /* DECIMAL: digits after the point, at most 9 */
    uint64_t number;  /* INTEGER and BYTES; DECIMAL: the value times ten to the power of digits */
    const char *text; /* TEXT: borrowed until the call returns */
};

static inline struct report_value report_unknown(void)
{
    return (struct report_value){.kind = REPORT_UNKNOWN};
}

static inline struct report_value report_boolean(bool value)
{
    return (struct report_value){.kind = REPORT_BOOLEAN, .number = value};
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

/* A number rounded to that number of digits after the point; unknown where it is not finite. */
struct report_value report_real(double value, unsigned digits);

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

/* The value where known holds, else unknown. */
static inline struct report_value report_if(bool known, struct report_value value)
{
    return known ? value : report_unknown();
}

/* A count, or unknown where it is UINT64_MAX. */
static inline struct report_value report_count(uint64_t count)
{
    return report_if(count != UINT64_MAX, report_integer(count));
}

/* count per second as a decimal of three digits; unknown when no time passed. */
struct report_value report_rate(uint64_t count, uint64_t elapsed_ns);

/* Write a value as the given format shows it. */
void report_write_value(FILE *out, enum report_format format, struct report_value value);

#define REPORT_NUMBER_SIZE 64

/* A number in decimal digits; at most digits_max after the point, rounded half up. */
void report_number(char text[REPORT_NUMBER_SIZE], struct report_value value, unsigned digits_max);

/* How many bytes a text takes in a report that is text, its control characters escaped. */
size_t report_plain_length(const char *text);

/* The length of the well-formed UTF-8 sequence at text (1 to 4), or 0 when none starts there. */
size_t report_utf8_length(const char *text);
