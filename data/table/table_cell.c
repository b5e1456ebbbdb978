/*
 * table_cell.c - see table_cell.h. O(length of the cell).
 */
#include "table_cell.h"
#include "base/pw_assert.h"
#include "data/graph/graph.h"
#include "data/read/edge_line.h"
#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cut a cell where blanks separate; data in braces (as NetworkX writes it) are one cell. */
static bool cut_at_blanks(const struct table_cut *cut, const char **at, const char *end,
                          struct csv_column *cell, enum csv_cut *how)
{
    const char *begin = *at, *stop;
    while (begin < end && (is_blank(*begin) || *begin == '\r')) {
        begin++;
    }
    if (begin == end || *begin == '\n' || (cut->hash_ends_row && *begin == '#')) {
        stop = memchr(begin, '\n', (size_t)(end - begin));
        *at = stop != NULL ? stop : end;
        return false;
    }
    if (cut->has_quotes && *begin == '"') {
        *at = begin;
        *how = csv_column_cut(at, end, ' ', cell);
        return true;
    }
    for (stop = begin; stop < end && *stop != '\n' && (!is_blank(*stop) || *begin == '{'); stop++) {
    }
    *how = stop < end && *stop != '\n' ? CSV_MORE : CSV_LAST;
    *at = stop;
    stop -= stop > begin && stop[-1] == '\r';
    *cell = (struct csv_column){.begin = begin, .length = (size_t)(stop - begin)};
    return true;
}

bool table_cell_cut(const struct table_cut *cut, const char **at, const char *end,
                    struct csv_column *cell, enum csv_cut *how, bool *has_blanks)
{
    if (cut->separator == ' ') {
        if (!cut_at_blanks(cut, at, end, cell, how)) {
            return false;
        }
    } else if (cut->has_quotes) {
        *how = csv_column_cut(at, end, cut->separator, cell);
    } else {
        const char *newline = memchr(*at, '\n', (size_t)(end - *at));
        const char *last = newline != NULL ? newline : end;
        const char *stop = memchr(*at, cut->separator, (size_t)(last - *at));
        *how = stop != NULL ? CSV_MORE : CSV_LAST;
        stop = stop != NULL ? stop : last;
        *cell = (struct csv_column){.begin = *at, .length = (size_t)(stop - *at)};
        cell->length -= *how == CSV_LAST && cell->length > 0 && stop[-1] == '\r';
        *at = *how == CSV_MORE ? stop + 1 : stop;
    }
    if (!cell->is_quoted && *how != CSV_OPEN) {
        csv_column_trim(cell->begin, cell->begin + cell->length, cell, has_blanks);
    }
    return true;
}

/* True for a number, or for a date or a time in digits. */
static bool is_number(const char *p, const char *end)
{
    static const char signs[] = "+-.,:/eETZ "; /* some countries write 0,5 */
    bool has_digit = false;
    if (p < end && !isdigit((unsigned char)*p) && !is_one_of(*p, "+-.")) {
        return false;
    }
    for (; p < end; p++) {
        const bool is_digit = isdigit((unsigned char)*p) != 0;
        if (!is_digit && !is_one_of(*p, signs)) {
            return false;
        }
        has_digit |= is_digit;
    }
    return has_digit;
}

/* True for a number with one point or comma at most, and an exponent or not: "-1.5e+03". */
static bool is_decimal(const char *p, const char *end)
{
    size_t digits = 0, points = 0;
    p += *p == '+' || *p == '-';
    for (; p < end && (isdigit((unsigned char)*p) || is_one_of(*p, ".,")); p++) {
        points += !isdigit((unsigned char)*p);
        digits += isdigit((unsigned char)*p) != 0;
    }
    if (digits == 0 || points > 1) {
        return false;
    }
    if (p < end && is_one_of(*p, "eE")) {
        p++;
        p += p < end && is_one_of(*p, "+-");
        digits = 0;
        for (; p < end && isdigit((unsigned char)*p); p++) {
            digits++;
        }
    }
    return p == end && digits > 0;
}

bool table_cell_has_zeros(const struct csv_column *cell)
{
    return cell->length > 1 && *cell->begin == '0' && csv_column_is_number(cell);
}

bool table_cell_is_rounded(const struct csv_column *cell)
{
    const char *p = cell->begin, *end = p + cell->length;
    size_t exponent = 0;
    while (p < end && isdigit((unsigned char)*p)) {
        p++;
    }
    const char *sign =
        p < end && is_one_of(*p, ".,") ? memmem(p, (size_t)(end - p), "E+", 2) : NULL;
    if (sign == NULL || !is_decimal(cell->begin, end)) {
        return false;
    }
    const size_t digits = (size_t)(sign - p) - 1;
    for (p = sign + 2; p < end && exponent <= digits; p++) {
        exponent = exponent * 10 + (size_t)(*p - '0');
    }
    return exponent > digits;
}

enum table_cell_kind table_cell_kind(const struct csv_column *cell, uint32_t *id)
{
    const char *begin = cell->begin, *end = begin + cell->length;
    const char *hash = cell->is_quoted ? NULL : memchr(begin, '#', cell->length);
    if (hash != NULL && hash > begin && is_blank(hash[-1]) && isdigit((unsigned char)*begin)) {
        for (end = hash; is_blank(end[-1]); end--) {
        }
    }
    if (begin == end) {
        return CELL_EMPTY;
    }
    uint64_t value;
    if (edge_number_read(begin, end, &value) && value <= GRAPH_NODE_MAX) {
        *id = (uint32_t)value;
        return CELL_ID;
    }
    const char *digits = begin + (*begin == '-');
    while (digits < end && isdigit((unsigned char)*digits)) {
        digits++;
    }
    pw_assert(digits <= end);
    if (digits == end && isdigit((unsigned char)end[-1])) {
        return CELL_WHOLE;
    }
    const bool is_data = *begin == '{' && end[-1] == '}'; /* of NetworkX */
    return is_data || is_decimal(begin, end) ? CELL_NUMBER
           : is_number(begin, end)           ? CELL_CODE
                                             : CELL_WORD;
}
