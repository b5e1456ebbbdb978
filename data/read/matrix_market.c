/*
 * matrix_market.c - the two lines that say what a Matrix Market file holds.
 *
 * Taken: coordinate; pattern, integer, real, double, complex; general, symmetric, skew-symmetric,
 * hermitian. Not taken: array, which lists every element. Upper and lower case are the same, as the
 * format says. Source: https://math.nist.gov/MatrixMarket/formats.html
 */
#include "matrix_market.h"

#include <string.h>
#include <strings.h>

struct word {
    const char *begin;
    size_t length;
};

static struct word next_word(const char **cursor, const char *end)
{
    const char *p = *cursor;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) {
        p++;
    }
    struct word word = {p, 0};
    while (p < end && *p != ' ' && *p != '\t' && *p != '\r') {
        p++;
    }
    word.length = (size_t)(p - word.begin);
    *cursor = p;
    return word;
}

static bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && strncasecmp(word.begin, text, word.length) == 0;
}

bool matrix_market_is_banner(const char *text, size_t length)
{
    static const char name[] = "MatrixMarket";
    size_t percents = 0;
    while (percents < 2 && percents < length && text[percents] == '%') {
        percents++;
    }
    return percents > 0 && length - percents >= sizeof(name) - 1 &&
           strncasecmp(text + percents, name, sizeof(name) - 1) == 0;
}

bool matrix_market_read_banner(const char *begin, const char *end, const char *path,
                               struct matrix_market *header, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const char *cursor = begin;
    struct word banner = next_word(&cursor, end);
    struct word object = next_word(&cursor, end);
    struct word format = next_word(&cursor, end);
    struct word field = next_word(&cursor, end);
    struct word symmetry = next_word(&cursor, end);
    memset(header, 0, sizeof(*header));
    header->single_percent = banner.length > 1 && banner.begin[1] != '%';
    if (!word_is(object, "matrix")) {
        return graph_fail_line(error, path, 1, "expected the object \"matrix\", found %s",
                               graph_quote(quoted, object.begin, object.length));
    }
    if (!word_is(format, "coordinate")) {
        return graph_fail_line(error, path, 1, "expected the format \"coordinate\", found %s",
                               graph_quote(quoted, format.begin, format.length));
    }
    if (word_is(field, "integer") || word_is(field, "real") || word_is(field, "double")) {
        header->value_count = 1;
    } else if (word_is(field, "complex")) {
        header->value_count = 2;
    } else if (!word_is(field, "pattern")) {
        return graph_fail_line(error, path, 1,
                               "expected the field pattern, integer, real or complex, found %s",
                               graph_quote(quoted, field.begin, field.length));
    }
    if (word_is(symmetry, "symmetric") || word_is(symmetry, "skew-symmetric") ||
        word_is(symmetry, "hermitian")) {
        header->symmetric = true;
    } else if (!word_is(symmetry, "general")) {
        return graph_fail_line(
            error, path, 1,
            "expected the symmetry general, symmetric, skew-symmetric or hermitian, found %s",
            graph_quote(quoted, symmetry.begin, symmetry.length));
    }
    return true;
}

static bool read_count(struct word word, uint64_t *count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.length; i++) {
        unsigned digit = (unsigned)(unsigned char)word.begin[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return false;
        }
    }
    *count = value;
    return word.length > 0;
}

bool matrix_market_read_size(const char *begin, const char *end, const char *path, uint64_t line,
                             struct matrix_market *header, struct graph_error *error)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const char *cursor = begin;
    struct word rows = next_word(&cursor, end);
    struct word columns = next_word(&cursor, end);
    struct word entries = next_word(&cursor, end);
    struct word rest = next_word(&cursor, end);
    if (!read_count(rows, &header->rows) || !read_count(columns, &header->columns) ||
        !read_count(entries, &header->entry_count) || rest.length > 0) {
        return graph_fail_line(error, path, line,
                               "expected the size line \"rows columns entries\", found %s",
                               graph_quote(quoted, begin, (size_t)(end - begin)));
    }
    if (header->rows > GRAPH_NODE_MAX || header->columns > GRAPH_NODE_MAX) {
        return graph_fail_line(error, path, line, "a graph has at most %llu nodes, found %s",
                               (unsigned long long)GRAPH_NODE_MAX,
                               graph_quote(quoted, begin, (size_t)(end - begin)));
    }
    if (header->entry_count > 0 && (header->rows == 0 || header->columns == 0)) {
        return graph_fail_line(error, path, line, "%llu entries declared in an empty matrix",
                               (unsigned long long)header->entry_count);
    }
    return true;
}
