/*
 * edge_line.c - the careful reader of one line, and its error messages.
 *
 * 1. Skip blanks; an empty line or one that opens with # or % is no edge.
 * 2. Read a token, which ends at a blank or a comma; it must be a decimal number in range.
 * 3. A second one; then the values that the format asks for; the rest is ignored.
 * 4. In a table (CSV) semicolons separate, too, an id may have quotes, and a quote that opens in
 *    the rest must close there: otherwise the next line is no edge.
 * O(length of the line up to the ids and values; in a table, of the line).
 */
#include "edge_line.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "csv_column.h"
#include "data/graph/graph.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The line without blanks and carriage returns at its end. A carriage return in the middle is an
 * error: the file ends its lines with it alone, and would be one line here. */
static const char *trim_end(const char *begin, const char *end)
{
    while (end > begin && (is_blank(end[-1]) || end[-1] == '\r')) {
        end--;
    }
    return end;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p)) {
        p++;
    }
    return p;
}

/* Skip the byte-order mark of a file that was joined to another one. */
static const char *skip_mark(const char *p, const char *end, const struct edge_rules *rules)
{
    return p + (rules->is_table && end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

static bool is_comma(char c, const struct edge_rules *rules)
{
    return c == ',' || (c == ';' && rules->is_table);
}

/* Skip the blanks and at most one comma: "1, 2" has two columns, "1,,2" an empty one. */
static const char *skip_separator(const char *p, const char *end, const struct edge_rules *rules)
{
    p = skip_blanks(p, end);
    if (p < end && is_comma(*p, rules)) {
        p = skip_blanks(p + 1, end);
    }
    return p;
}

static const char *token_end(const char *p, const char *end, const struct edge_rules *rules)
{
    const char semicolon = rules->is_table ? ';' : ',';
    while (p < end && !is_blank(*p) && *p != ',' && *p != semicolon) {
        p++;
    }
    return p;
}

/* A decimal number that fills begin..end. Above 2^32 - 1 it becomes some number above that. */
static bool read_id(const char *begin, const char *end, uint64_t *id)
{
    uint64_t value = 0;
    const char *p = begin;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value <= UINT32_MAX ? value * 10 + (uint64_t)(*p - '0') : value;
    }
    *id = value;
    return p == end && p > begin;
}

/* The exponent at p, which ends at end. False if there is no exponent, or a useless one. */
static bool read_exponent(const char *p, const char *end, int *exponent)
{
    const bool is_negative = p < end && *p == '-';
    uint64_t value;
    p += p < end && (*p == '-' || *p == '+');
    if (!read_id(p, end, &value) || value > 99) {
        return false;
    }
    *exponent = is_negative ? -(int)value : (int)value;
    return true;
}

/* 12.30e1: number 123, scale -1 for the 3, exponent 1; the zero at the end waits in zeros. */
bool edge_number_read(const char *begin, const char *end, uint64_t *value)
{
    uint64_t number = 0;
    int scale = 0, zeros = 0; /* zeros: at the end of the number, not yet in it */
    bool has_point = false, has_digit = false;
    const char *p = begin;
    for (; p < end && ((*p >= '0' && *p <= '9') || (*p == '.' && !has_point)); p++) {
        has_point |= *p == '.';
        if (*p == '.') {
            continue;
        }
        has_digit = true;
        zeros++;
        scale -= has_point;
        for (; *p != '0' && zeros > 1; zeros--) {
            number = number <= UINT32_MAX ? number * 10 : number;
        }
        if (*p != '0') {
            number = number <= UINT32_MAX ? number * 10 + (uint64_t)(*p - '0') : number;
            zeros = 0;
        }
    }
    int exponent = 0;
    if (!has_digit ||
        (p < end && ((*p != 'e' && *p != 'E') || !read_exponent(p + 1, end, &exponent)))) {
        return false;
    }
    scale += exponent + zeros;
    for (; scale > 0 && number <= UINT32_MAX && number > 0; scale--) {
        number *= 10;
    }
    *value = number;
    return scale >= 0 || number == 0;
}

static bool is_in_quotes(const char *begin, const char *end)
{
    return end - begin > 2 && *begin == '"' && end[-1] == '"';
}

/* An id of a line, in quotes or not. */
static bool read_token(const char *begin, const char *end, const struct edge_rules *rules,
                       uint64_t *id)
{
    if (!rules->is_table) {
        return read_id(begin, end, id);
    }
    struct csv_column cell; /* without no-break spaces */
    bool has_blanks = false;
    csv_column_trim(begin, end, &cell, &has_blanks);
    begin = cell.begin;
    end = begin + cell.length;
    const bool is_quoted = is_in_quotes(begin, end);
    return edge_number_read(begin + is_quoted, end - is_quoted, id);
}

/* True if a quote opens in the columns from p on, which begin with a comma, and does not close. */
static bool has_open_quote(const char *p, const char *end, const struct edge_rules *rules)
{
    struct csv_column column;
    p = skip_blanks(p, end);
    if (!rules->is_table || p == end || !is_comma(*p, rules) ||
        memchr(p, '"', (size_t)(end - p)) == NULL) {
        return false;
    }
    const char separator = *p++;
    for (;;) {
        switch (csv_column_cut(&p, end, separator, &column)) {
        case CSV_MORE:
            break;
        case CSV_OPEN:
            return true;
        case CSV_LAST:
            return false;
        default: /* a letter after the quote: up to the separator */
            p = memchr(p, separator, (size_t)(end - p));
            if (p == NULL) {
                return false;
            }
            p++;
        }
    }
}

/* True for a byte that can open a number: 1, -1, +1, .5, inf, nan. */
static bool looks_like_value(const char *begin, const char *end)
{
    return begin < end && is_one_of(*begin, "0123456789+-.iInN");
}

/* The place of a line, for its error message. */
struct place {
    const char *path;
    uint64_t line;
    struct graph_error *error;
};

/* Set the error for an id that reads as a number, signed or not. */
static void explain_id(const struct place *place, const char *what, const char *begin,
                       const char *end, uint64_t min, uint64_t max)
{
    uint64_t id;
    int length = end - begin > 30 ? 30 : (int)(end - begin);
    const char *dots = end - begin > 30 ? "..." : "";
    bool negative = begin < end && *begin == '-' && read_id(begin + 1, end, &id);
    if (!negative && !read_id(begin, end, &id)) {
        return;
    }
    if (max >= GRAPH_NODE_MAX && place->error->message[0] == '\0') {
        place->error->remedy = GRAPH_REMEDY_NAMES; /* which takes any number */
    }
    if (min > max) {
        graph_fail_line(place->error, place->path, place->line,
                        "%s %.*s is not a node: the graph has no nodes", what, length, begin);
    } else {
        graph_fail_line(place->error, place->path, place->line, "%s %.*s%s is outside %llu..%llu",
                        what, length, begin, dots, (unsigned long long)min,
                        (unsigned long long)max);
    }
}

/* Take the id at p. *is_id: it is a number. Returns where its token ends. */
static const char *take_id(const char *p, const char *end, const struct edge_rules *rules,
                           uint64_t *id, bool *is_id)
{
    const char *stop = p;
    uint64_t value = 0;
    for (; stop < end && *stop >= '0' && *stop <= '9'; stop++) {
        value = value * 10 + (uint64_t)(*stop - '0');
    }
    if (stop > p && stop - p <= DIGITS_FIT && (stop == end || is_blank(*stop) || *stop == ',')) {
        *id = value;
        *is_id = true;
        return stop;
    }
    stop = token_end(p, end, rules);
    *is_id = read_token(p, stop, rules, id);
    return stop;
}

/* Take the id at *at, from min to max. False if there is no id; place, or NULL: for the reason. */
static bool take_id_within(const char **at, const char *end, const struct edge_rules *rules,
                           bool is_target, uint32_t *id, const struct place *place)
{
    const uint64_t min = is_target ? rules->target_min : rules->source_min;
    const uint64_t max = is_target ? rules->target_max : rules->source_max;
    const char *begin = *at;
    uint64_t value = 0;
    bool is_id;
    *at = take_id(begin, end, rules, &value, &is_id);
    if (is_id && value >= min && value <= max) {
        *id = (uint32_t)value;
        return true;
    }
    if (place != NULL) {
        explain_id(place, is_target ? "target" : "source", begin, *at, min, max);
    }
    return false;
}

/* Read the ids and values of a line that is not a comment; p to end has no blanks around it. */
static bool read_entry(const char *p, const char *end, const struct edge_rules *rules,
                       struct edge_line *line, const struct place *place)
{
    *line = (struct edge_line){.source = 0};
    if (rules->prefix != '\0') {
        if (p == end || *p != rules->prefix || p + 1 == end || !is_blank(p[1])) {
            return false;
        }
        p = skip_blanks(p + 1, end);
    }
    const char *begin = p, *stop = p;
    if (!take_id_within(&stop, end, rules, false, &line->source, place)) {
        return false;
    }
    stop = skip_separator(stop, end, rules);
    if (!take_id_within(&stop, end, rules, true, &line->target, place)) {
        return false;
    }
    if (stop != end && memchr(stop, '\r', (size_t)(end - stop)) != NULL) {
        return false;
    }
    if (has_open_quote(stop, end, rules)) {
        if (place != NULL) {
            place->error->remedy = GRAPH_REMEDY_CSV;
            graph_fail_line(place->error, place->path, place->line,
                            "a column in quotes goes on in the next line");
        }
        return false;
    }
    for (unsigned i = 0; i < rules->value_count; i++) {
        p = skip_separator(stop, end, rules);
        stop = token_end(p, end, rules);
        if (!looks_like_value(p, stop)) {
            return false;
        }
    }
    pw_assert(stop <= end);
    p = skip_blanks(stop, end);
    line->has_more = p != end && *p != '#';
    if (!rules->has_no_commas || !line->has_more ||
        memchr(begin, ',', (size_t)(stop - begin) + 1) == NULL) {
        return true;
    }
    if (place != NULL) {
        char quoted[GRAPH_QUOTE_SIZE];
        graph_fail_line(place->error, place->path, place->line,
                        "expected no comma beside an id, as in the first lines, found %s",
                        graph_quote(quoted, begin, (size_t)(end - begin)));
    }
    return false;
}

enum edge_line_kind edge_line_read(const char *begin, const char *end,
                                   const struct edge_rules *rules, struct edge_line *line)
{
    end = trim_end(begin, end);
    const char *p = skip_blanks(skip_mark(begin, end, rules), end);
    pw_assert(begin <= p && p <= end);
    if (p == end || *p == '#' || *p == '%' || (rules->comment != '\0' && *p == rules->comment)) {
        return EDGE_LINE_SKIP;
    }
    return read_entry(p, end, rules, line, NULL) ? EDGE_LINE_EDGE : EDGE_LINE_BAD;
}

bool edge_id_explain(const char *begin, const char *end, const struct edge_rules *rules,
                     const char *what, const char *path, uint64_t line, struct graph_error *error)
{
    const struct place place = {path, line, error};
    char quoted[GRAPH_QUOTE_SIZE];
    begin = skip_blanks(begin, end);
    end = trim_end(begin, end);
    explain_id(&place, what, begin, end, rules->source_min, rules->source_max);
    return graph_fail_line(error, path, line, "%s: expected a node id, found %s", what,
                           graph_quote(quoted, begin, (size_t)(end - begin)));
}

/* What to do about an empty cell of a table; "" if none of its first two is. */
static const char *say_empty(const char *p, const char *end, bool has_return,
                             const struct edge_rules *rules)
{
    if (rules->is_table && p < end && is_comma(*p, rules)) {
        return ": the source is empty (awk -F, '$1 != \"\"' drops such rows of CSV)";
    }
    const char *second = skip_separator(token_end(p, end, rules), end, rules);
    const bool has_comma = second > p && memchr(p, ',', (size_t)(second - p)) != NULL;
    if (!rules->is_table || !has_comma || (second < end && !is_comma(*second, rules))) {
        return "";
    }
    return has_return ? ": the target is empty (awk -F, '$2 !~ /^\\r?$/' drops such rows of CSV)"
                      : ": the target is empty (awk -F, '$2 != \"\"' drops such rows of CSV)";
}

bool edge_line_explain(const char *begin, const char *end, const struct edge_rules *rules,
                       const char *path, uint64_t line_number, struct graph_error *error)
{
    static const char *const what[] = {"two node ids", "two node ids and a value",
                                       "two node ids and two values"};
    const struct place place = {path, line_number, error};
    char quoted[GRAPH_QUOTE_SIZE], prefix[] = "\"?\" and ";
    struct edge_line line;
    const bool has_return = end > begin && end[-1] == '\r';
    end = trim_end(begin, end);
    const char *p = skip_blanks(skip_mark(begin, end, rules), end);
    const char *empty = say_empty(p, end, has_return, rules);
    read_entry(p, end, rules, &line, &place);
    prefix[1] = rules->prefix;
    pw_assert(rules->value_count < COUNT_OF(what));
    if (rules->is_table && error->message[0] == '\0' &&
        (memchr(p, ',', (size_t)(end - p)) || memchr(p, ';', (size_t)(end - p)) ||
         memchr(p, '\t', (size_t)(end - p)))) {
        error->remedy = *empty == '\0' ? GRAPH_REMEDY_NAMES : error->remedy;
    }
    return graph_fail_line(error, path, line_number, "expected %s%s, found %s%s",
                           rules->prefix != '\0' ? prefix : "", what[rules->value_count],
                           graph_quote(quoted, p, (size_t)(end - p)), empty);
}
