/*
 * csv_column.h - one column of a line of CSV, as RFC 4180 has it.
 *
 * A column that begins with a quote ends at the next quote; it may hold separators and newlines,
 * and a quote written twice. Any other column goes to the next separator or newline, and its quotes
 * are letters. Blanks before the first quote and after the last one do not count.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct csv_column {
    const char *begin; /* without the quotes around it */
    size_t length;
    bool is_quoted;
    bool has_doubled; /* a quote is written twice in it */
};

enum csv_cut {
    CSV_MORE, /* a separator follows */
    CSV_LAST, /* a newline or the end follows */
    CSV_OPEN, /* the quote does not close before the end */
    CSV_BAD,  /* something follows the closing quote */
};

/*
 * Cut the column at *at. Moves *at after the separator (CSV_MORE), or to the newline or the end
 * (CSV_LAST). A carriage return before the newline or the end is part of no column.
 */
enum csv_cut csv_column_cut(const char **at, const char *end, char separator,
                            struct csv_column *column);

/* The length of a blank that opens or ends a text: 1, 2 for a no-break space, or 0. */
static inline size_t csv_blank_first(const char *begin, const char *end)
{
    return begin < end && (*begin == ' ' || *begin == '\t')              ? 1
           : end - begin > 1 && begin[0] == '\xc2' && begin[1] == '\xa0' ? 2
                                                                         : 0;
}

static inline size_t csv_blank_last(const char *begin, const char *end)
{
    return begin < end && (end[-1] == ' ' || end[-1] == '\t')          ? 1
           : end - begin > 1 && end[-1] == '\xa0' && end[-2] == '\xc2' ? 2
                                                                       : 0;
}

/* Cut the blanks around a text, from begin to before end. *has_blanks: set if there were any. */
static inline void csv_column_trim(const char *begin, const char *end, struct csv_column *column,
                                   bool *has_blanks)
{
    const size_t length = (size_t)(end - begin);
    size_t blank;
    for (; (blank = csv_blank_first(begin, end)) > 0; begin += blank) {
    }
    for (; (blank = csv_blank_last(begin, end)) > 0; end -= blank) {
    }
    column->begin = begin;
    column->length = (size_t)(end - begin);
    *has_blanks |= column->length < length;
}

/* The text of a column, each doubled quote as one; to: room for column->length. Returns its
 * length. */
size_t csv_column_text(const struct csv_column *column, char *to);

/* True if a column holds digits and nothing else; a blank around them does not count. */
bool csv_column_is_number(const struct csv_column *column);
