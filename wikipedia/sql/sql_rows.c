/*
 * sql_rows.c - rows and values; see sql_rows.h.
 */
#include "sql_rows.h"
#include "base/pw_assert.h"
#include "sql_scan.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_MAX 16 /* of a number in a plain row */

const char *sql_rows_fail(struct sql_parser *parser, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (parser->rule[0] == '\0') {
        vsnprintf(parser->rule, sizeof(parser->rule), format, arguments);
    }
    va_end(arguments);
    return NULL;
}

bool sql_rows_hand_out(struct sql_parser *parser)
{
    size_t bad = 0;
    const size_t count = parser->batch.count;
    parser->batch.count = 0;
    const char *rule =
        count > 0 ? parser->take(parser->context, parser->batch.rows, count, &bad) : NULL;
    if (rule != NULL) {
        parser->rows = parser->batch.last_row - (count - 1 - bad);
        sql_rows_fail(parser, "%s", rule);
    }
    parser->texts.used = 0;
    return rule == NULL;
}

/* The meaning of a backslash and the byte after it, or of two quotes. */
static char unescape(const char *p)
{
    static const char names[] = "0nrtbZ", bytes[] = "\0\n\r\t\b\x1a";
    const char *found = *p == '\\' ? memchr(names, p[1], sizeof(names) - 1) : NULL;
    if (found != NULL) {
        return bytes[found - names];
    }
    return p[1];
}

/* Copy bytes, 16 at a time because most texts are short; so up to 15 bytes more are copied. Returns
 * the end of the copy. */
static inline char *append(char *to, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i += 16) {
        memcpy(to + i, from + i, 16);
    }
    return to + length;
}

/* Read a quoted text; p is after the quote. */
static const char *read_text(struct sql_parser *parser, const char *p, const char *end,
                             struct sql_value *value)
{
    const char *begin = p; /* of the part not copied yet; without an escape, of all */
    char *to = parser->texts.bytes + parser->texts.used;
    char *at = to;
    for (;;) {
        p = sql_scan_text(p, end);
        if (p >= end - 1) { /* the byte after the last quote must be there */
            return NULL;
        }
        if (*p != '\\' && p[1] != '\'') {
            break;
        }
        at = append(at, begin, (size_t)(p - begin));
        *at++ = unescape(p);
        p += 2;
        begin = p;
    }
    *value = (struct sql_value){.text = begin, .length = (uint32_t)(p - begin), .kind = SQL_TEXT};
    if (at > to) {
        at = append(at, begin, (size_t)(p - begin));
        value->text = to;
        value->length = (uint32_t)(at - to);
        parser->texts.used += value->length;
        pw_assert(parser->texts.used <= parser->texts.size);
    }
    return p + 1;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Read the text 0x666f6f; p is after the x. */
static const char *read_hex(struct sql_parser *parser, const char *p, const char *end,
                            struct sql_value *value)
{
    const char *begin = p;
    while (p < end && hex_digit(*p) >= 0) {
        p++;
    }
    if (p >= end) {
        return NULL;
    }
    if ((p - begin) % 2 != 0) {
        return sql_rows_fail(parser, "a text in hexadecimal has an odd number of digits");
    }
    char *to = parser->texts.bytes + parser->texts.used;
    *value =
        (struct sql_value){.text = to, .length = (uint32_t)((p - begin) / 2), .kind = SQL_TEXT};
    parser->texts.used += value->length;
    for (const char *at = begin; at < p; at += 2) {
        *to++ = (char)(hex_digit(at[0]) * 16 + hex_digit(at[1]));
    }
    return p;
}

static const char *refuse_value(struct sql_parser *parser, const char *p, const char *end)
{
    char shown[24];
    size_t length = 0;
    while (p + length < end && length + 1 < sizeof(shown) && p[length] != ',' && p[length] != ')') {
        const unsigned char c = (unsigned char)p[length];
        shown[length++] = (char)(c >= ' ' && c < 0x7f ? c : '?');
    }
    shown[length] = '\0';
    return sql_rows_fail(parser, "expected a value, found \"%s\"", shown);
}

/* True if a text is a number with a sign, point or exponent, and no part of a number follows. */
static bool is_literal(const char *p, const char *end)
{
    p += *p == '-';
    const bool has_digit = sql_is_digit(*p);
    p = sql_skip_digits(p);
    p = *p == '.' ? sql_skip_digits(p + 1) : p;
    if (*p == 'e') {
        p += p[1] == '+' || p[1] == '-' ? 2 : 1;
        return has_digit && sql_is_digit(*p) && sql_skip_digits(p) == end;
    }
    return has_digit && p == end;
}

/* Read NULL, a number with a sign, point or exponent, a text in hexadecimal or after _binary. */
static const char *read_other(struct sql_parser *parser, const char *p, const char *end,
                              struct sql_value *value)
{
    static const char binary[] = "_binary '";
    if (sql_begins(p, end, "0x")) {
        return read_hex(parser, p + 2, end, value);
    }
    if (sql_begins(p, end, binary)) {
        return read_text(parser, p + sizeof(binary) - 1, end, value);
    }
    const char *stop = p;
    while (stop < end && *stop != ',' && *stop != ')' && stop - p < 200) {
        stop++;
    }
    const bool is_null = stop - p == 4 && memcmp(p, "NULL", 4) == 0;
    if (stop == end) {
        return NULL;
    }
    if (!is_null && !is_literal(p, stop)) {
        return refuse_value(parser, p, end);
    }
    *value = (struct sql_value){
        .text = p, .length = (uint32_t)(stop - p), .kind = is_null ? SQL_NULL : SQL_LITERAL};
    return stop;
}

/* True if a value fits its column. */
static bool is_wanted(struct sql_parser *parser, const struct sql_value *value, size_t number,
                      size_t place)
{
    const struct sql_column *column = &parser->table->columns[number];
    const uint64_t largest = parser->schema.largest[place];
    if (value->kind == SQL_NULL) {
        return column->has_null || sql_rows_fail(parser, "%s is NULL", column->name) != NULL;
    }
    if (column->kind == SQL_NUMBER && value->kind == SQL_NUMBER && value->number > largest) {
        sql_rows_fail(parser, "%s is %llu, which is above %llu, the most that its type holds",
                      column->name, (unsigned long long)value->number, (unsigned long long)largest);
        return false;
    }
    if (column->kind != SQL_LITERAL && value->kind != column->kind) {
        sql_rows_fail(parser, "%s is not a %s", column->name,
                      column->kind == SQL_NUMBER ? "number from 0 on" : "text");
        return false;
    }
    return true;
}

/* A value. */
static const char *read_value(struct sql_parser *parser, const char *p, const char *end,
                              struct sql_value *value)
{
    uint64_t number = 0;
    if (*p == '\'') {
        return read_text(parser, p + 1, end, value);
    }
    const size_t digits = sql_scan_digits(p, &number);
    const char *after = p + digits;
    if (digits == 0 || (*after != ',' && *after != ')')) {
        return read_other(parser, p, end, value);
    }
    if (digits > 19) { /* it may not fit 64 bits */
        return sql_rows_fail(parser, "a number has more than 19 digits");
    }
    *value = (struct sql_value){.number = number, .length = (uint32_t)digits, .kind = SQL_NUMBER};
    return after;
}

/* Skip an unwanted value in its most frequent form: a text without an escape, a number without a
 * sign or exponent, NULL. Returns what follows it, which must be a comma or bracket; NULL: leave it
 * to read_row. For times, 'wikitext' and single digits the length is tested, because the processor
 * predicts a test and goes on, but waits for a length that it computes. */
static inline const char *skip_plain(const char *p, const char *end)
{
    if (*p == '\'') {
        const char *stop = sql_scan_text(p + 1, end);
        return *stop != '\'' ? NULL : stop == p + 15 ? p + 16 : stop == p + 9 ? p + 10 : stop + 1;
    }
    if (!sql_is_digit(*p)) {
        return memcmp(p, "NULL", 4) == 0 ? p + 4 : NULL;
    }
    const char *stop = sql_is_digit(p[1]) ? sql_skip_digits(p + 1) : p + 1;
    return *stop == '.' ? sql_skip_digits(stop + 1) : stop - p < 20 ? stop : NULL;
}

/* Read a wanted value in such a form, at a place of the row; returns as skip_plain. */
static inline const char *read_plain(struct sql_parser *parser, const char *p, const char *end,
                                     size_t place)
{
    const size_t wanted = (size_t)parser->schema.wanted[place];
    const struct sql_column *column = &parser->table->columns[wanted];
    struct sql_value *value = &parser->batch.rows[parser->batch.count][wanted];
    uint64_t number = (unsigned char)(*p - '0');
    if (column->kind == SQL_TEXT) {
        return *p == '\'' ? read_text(parser, p + 1, end, value)
               : column->has_null && memcmp(p, "NULL", 4) == 0 ? p + 4
                                                               : NULL;
    }
    const size_t digits = number < 10 && !sql_is_digit(p[1]) ? 1 : sql_scan_digits(p, &number);
    *value = (struct sql_value){.number = number, .length = (uint32_t)digits, .kind = SQL_NUMBER};
    return digits - 1 < DIGITS_MAX && number <= parser->schema.largest[place] ? p + digits : NULL;
}

/* Read a row of plain values without white space; p is at the bracket. NULL: use read_row. */
static const char *read_plain_row(struct sql_parser *parser, const char *p, const char *end)
{
    const struct sql_schema *schema = &parser->schema;
    const size_t texts_used = parser->texts.used;
    size_t i = 0;
    pw_assert(parser->batch.count < SQL_BATCH && schema->count > 0);
    memset(parser->batch.rows[parser->batch.count], 0,
           sizeof(parser->batch.rows[0])); /* all are SQL_NULL */
    do {
        p = schema->wanted[i] < 0 ? skip_plain(p + 1, end) : read_plain(parser, p + 1, end, i);
        i++;
    } while (p != NULL && *p == ',' && i < schema->count);
    if (p == NULL || *p != ')' || i != schema->count) {
        parser->texts.used = texts_used;
        return NULL;
    }
    parser->rows++;
    return p + 1;
}

/* Read a row; p is after the bracket. */
static const char *read_row(struct sql_parser *parser, const char *p, const char *end)
{
    const struct sql_schema *schema = &parser->schema;
    struct sql_value *row = parser->batch.rows[parser->batch.count], other;
    pw_assert(parser->batch.count < SQL_BATCH);
    memset(row, 0, sizeof(parser->batch.rows[0])); /* all are SQL_NULL */
    parser->rows++;
    for (size_t i = 0;; i++) {
        const int wanted = i < schema->count ? schema->wanted[i] : -1;
        struct sql_value *value = wanted >= 0 ? &row[wanted] : &other;
        p += i > 0 && *p == ' ';
        p = p < end ? read_value(parser, p, end, value) : NULL;
        if (p == NULL || p >= end) {
            break;
        }
        if (wanted >= 0 && !is_wanted(parser, value, (size_t)wanted, i)) {
            return NULL;
        }
        if (*p == ')') {
            if (i + 1 != schema->count) {
                return sql_rows_fail(parser, "expected %u values, found %zu", schema->count, i + 1);
            }
            return p + 1;
        }
        if (*p != ',') {
            return refuse_value(parser, p, end);
        }
        p++;
    }
    if (parser->rule[0] == '\0') {
        parser->rows--; /* it comes again */
    }
    return NULL;
}

const char *sql_rows_read(struct sql_parser *parser, const char *p, const char *end)
{
    if (*p != '(') {
        parser->rows++;
        return sql_rows_fail(parser, "expected a row, found \"%c\"",
                             *p > ' ' && *p < 0x7f ? *p : '?');
    }
    const char *plain = read_plain_row(parser, p, end);
    p = plain != NULL ? plain : read_row(parser, p + 1, end);
    if (p == NULL) {
        return NULL;
    }
    parser->place = SQL_AFTER_ROW;
    parser->is_open = true;
    parser->batch.last_row = parser->rows;
    return ++parser->batch.count < SQL_BATCH || sql_rows_hand_out(parser) ? p : NULL;
}
