/*
 * csv_column.c - see csv_column.h. O(length of the column).
 */
#include "csv_column.h"
#include "base/pw_assert.h"
#include <string.h>

static const char *skip_blanks(const char *p, const char *end, char separator)
{
    while (p < end && (*p == ' ' || *p == '\t') && *p != separator) {
        p++;
    }
    return p;
}

/* Cut a column whose first quote is at *at. */
static enum csv_cut cut_quoted(const char **at, const char *end, char separator,
                               struct csv_column *column)
{
    const char *stop = *at + 1;
    *column = (struct csv_column){.begin = stop, .is_quoted = true};
    for (;; stop += 2) { /* of a doubled quote */
        stop = memchr(stop, '"', (size_t)(end - stop));
        if (stop == NULL) {
            return CSV_OPEN;
        }
        if (stop + 1 == end || stop[1] != '"') {
            break;
        }
        column->has_doubled = true;
    }
    column->length = (size_t)(stop - column->begin);
    stop = skip_blanks(stop + 1, end, separator);
    stop += stop < end && *stop == '\r' && (stop + 1 == end || stop[1] == '\n');
    pw_assert(stop <= end);
    *at = stop;
    if (stop == end || *stop == '\n') {
        return CSV_LAST;
    }
    *at += *stop == separator;
    return *stop == separator ? CSV_MORE : CSV_BAD;
}

enum csv_cut csv_column_cut(const char **at, const char *end, char separator,
                            struct csv_column *column)
{
    const char *quote = skip_blanks(*at, end, separator);
    if (quote < end && *quote == '"') {
        *at = quote;
        return cut_quoted(at, end, separator, column);
    }
    const char *begin = *at, *stop = begin;
    while (stop < end && *stop != separator && *stop != '\n') {
        stop++;
    }
    const bool is_last = stop == end || *stop == '\n';
    const bool has_return = is_last && stop > begin && stop[-1] == '\r';
    *column = (struct csv_column){.begin = begin, .length = (size_t)(stop - begin) - has_return};
    *at = is_last ? stop : stop + 1;
    return is_last ? CSV_LAST : CSV_MORE;
}

size_t csv_column_text(const struct csv_column *column, char *to)
{
    size_t used = 0;
    for (size_t i = 0; i < column->length; i++) {
        to[used++] = column->begin[i];
        i += column->has_doubled && column->begin[i] == '"';
    }
    return used;
}

bool csv_column_is_number(const struct csv_column *column)
{
    const char *p = column->begin, *end = p + column->length;
    while (p < end && (*p == ' ' || *p == '\t')) {
        p++;
    }
    while (end > p && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    const char *first = p;
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p == end && p > first;
}
