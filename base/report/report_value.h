/*
 * report_value.h - one value of a report, and its form in text, CSV and JSON.
 *
 * Numbers are integers or decimals with a fixed number of digits, made from integers, so no locale
 * can change them. CSV and JSON have them plain; text has separators and units (text_form.h). An
 * unknown value is an empty cell in CSV, null in JSON and a dash in text. JSON is valid for any
 * bytes in a text: control characters are escaped. In all three formats a byte that is not UTF-8 is
 * %FF, as in a URL.
 */
#pragma once

#include "base/text/text_form.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum report_format {
    REPORT_FORMAT_TEXT,
    REPORT_FORMAT_CSV,
    REPORT_FORMAT_JSON,
    REPORT_FORMAT_DOT /* of all shortest paths alone, whose program writes it itself */
};

enum report_kind {
    REPORT_UNKNOWN,
    REPORT_BOOLEAN,
    REPORT_INTEGER,
    REPORT_ID, /* an integer that is a name: no separators in text */
    REPORT_DECIMAL,
    REPORT_SECONDS,
    REPORT_SHARE, /* a decimal: of one; in text a percentage */
    REPORT_BYTES,
    REPORT_TEXT,
    REPORT_ARRAY,
    REPORT_IDS
};

struct report_value {
    enum report_kind kind;
    bool negative;            /* DECIMAL: below zero */
    bool is_unclear;          /* not larger than its own spread: in text with "~" before it */
    unsigned digits;          /* DECIMAL: digits after the point, at most 9; SECONDS: 9 */
    uint64_t number;          /* DECIMAL, SECONDS: the value times ten to the power of digits */
    const char *text;         /* TEXT: borrowed until the call returns */
    const char *const *texts; /* ARRAY: text_count texts, also borrowed */
    const uint32_t *ids;      /* IDS: text_count ids of the nodes of a path, also borrowed */
    size_t text_count;
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

/* The id of a node, the number of a search. */
static inline struct report_value report_id(uint64_t number)
{
    return (struct report_value){.kind = REPORT_ID, .number = number};
}

/* An integer in CSV and JSON; in text "12.4 MiB". */
static inline struct report_value report_bytes(uint64_t number)
{
    return (struct report_value){.kind = REPORT_BYTES, .number = number};
}

static inline struct report_value report_decimal(uint64_t scaled, unsigned digits)
{
    return (struct report_value){.kind = REPORT_DECIMAL, .number = scaled, .digits = digits};
}

/* A share of one: in CSV and JSON a decimal of six digits; in text "98.77 %", from 1,000 % on
 * without a fraction. Unknown if it is not finite. */
struct report_value report_share(double share);

/* A number rounded to that number of digits after the point; unknown if it is not finite. */
struct report_value report_real(double value, unsigned digits);

/* Nanoseconds: in CSV and JSON seconds with nine digits, in text "2.65 ms". */
static inline struct report_value report_seconds(uint64_t elapsed_ns)
{
    return (struct report_value){.kind = REPORT_SECONDS, .number = elapsed_ns, .digits = 9};
}

/* NULL is unknown. */
static inline struct report_value report_text(const char *text)
{
    return text != NULL ? (struct report_value){.kind = REPORT_TEXT, .text = text}
                        : report_unknown();
}

/* Texts, an array, only in JSON. NULL is unknown. */
static inline struct report_value report_array(const char *const *texts, size_t count)
{
    return texts != NULL
               ? (struct report_value){.kind = REPORT_ARRAY, .texts = texts, .text_count = count}
               : report_unknown();
}

/* Ids along a path: an array in JSON, else "1 -> 2". NULL is unknown. */
static inline struct report_value report_ids(const uint32_t *ids, size_t count)
{
    return ids != NULL ? (struct report_value){.kind = REPORT_IDS, .ids = ids, .text_count = count}
                       : report_unknown();
}

/* The value if known is true, else unknown. */
static inline struct report_value report_if(bool known, struct report_value value)
{
    return known ? value : report_unknown();
}

/* A count, or unknown if it is UINT64_MAX. */
static inline struct report_value report_count(uint64_t count)
{
    return report_if(count != UINT64_MAX, report_integer(count));
}

/* count per second as a decimal of three digits; unknown when no time passed. */
struct report_value report_rate(uint64_t count, uint64_t elapsed_ns);

/* Write a value as the given format shows it. */
void report_write_value(FILE *out, enum report_format format, struct report_value value);

#define REPORT_NUMBER_SIZE TEXT_FORM_SIZE
#define REPORT_SHORT       98 /* as digits_max: three digits and a power of 1000, "33.7 M" */

/* A number as a line of text shows it; at most digits_max after the point, rounded half up. */
void report_number(char text[REPORT_NUMBER_SIZE], struct report_value value, unsigned digits_max);
