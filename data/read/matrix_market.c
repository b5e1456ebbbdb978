/*
 * matrix_market.c - reads the two lines that declare the content of a Matrix Market file.
 *
 * Accepted: coordinate; pattern, integer, unsigned-integer (SciPy), real, double, complex;
 * general, symmetric, skew-symmetric, hermitian; blanks, empty lines and comments before the
 * banner. Not accepted: array, which lists every element. Case is ignored, as
 * the format requires. Source: https://math.nist.gov/MatrixMarket/formats.html
 */
#include "matrix_market.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <string.h>
#include <strings.h>

enum { WORD_OBJECT, WORD_FORMAT, WORD_FIELD, WORD_SYMMETRY, WORD_COUNT };

/* The words after "%%MatrixMarket": the legal ones, and their meanings. */
static const struct banner_word {
    const char *expected; /* for the error */
    struct {
        const char *name;
        unsigned value; /* a field: the numbers after the ids; a symmetry: 1 for both ways */
    } legal[7];         /* the last has no name */
} banner_words[WORD_COUNT] = {
    [WORD_OBJECT] = {"the object \"matrix\"", {{"matrix", 0}}},
    [WORD_FORMAT] = {"the format \"coordinate\"", {{"coordinate", 0}}},
    [WORD_FIELD] = {"the field pattern, integer, real or complex",
                    {{"pattern", 0},
                     {"integer", 1},
                     {"unsigned-integer", 1},
                     {"real", 1},
                     {"double", 1},
                     {"complex", 2}}},
    [WORD_SYMMETRY] = {"the symmetry general, symmetric, skew-symmetric or hermitian",
                       {{"general", 0}, {"symmetric", 1}, {"skew-symmetric", 1}, {"hermitian", 1}}},
};

/* True for "%%MatrixMarket ...", also with one %. */
static bool is_banner(struct graph_line line)
{
    static const char name[] = "MatrixMarket";
    const size_t length = sizeof(name) - 1;
    const char *p = graph_line_start(line);
    for (int i = 0; i < 2 && p < line.end && *p == '%'; i++) {
        p++;
    }
    return p > line.begin && p[-1] == '%' && (size_t)(line.end - p) >= length &&
           strncasecmp(p, name, length) == 0 &&
           (p + length == line.end || is_one_of(p[length], " \t\r"));
}

/* Take lines up to the banner. False if a line that is no comment comes first, or the end. */
static bool find_banner(struct graph_header *header, struct graph_line *line)
{
    while (graph_header_next(header, line)) {
        if (is_banner(*line)) {
            return true;
        }
        if (!graph_line_is_comment(*line)) {
            return false;
        }
    }
    return false;
}

bool matrix_market_matches(const struct graph_header *header)
{
    struct graph_error ignored = {0};
    struct graph_header look = *header;
    struct graph_line line;
    look.error = &ignored;
    return find_banner(&look, &line);
}

/* Cut the next word from the line. */
static struct graph_line next_word(struct graph_line *line)
{
    struct graph_line word = {graph_line_start(*line), NULL};
    for (word.end = word.begin; word.end < line->end && !is_one_of(*word.end, " \t\r");) {
        word.end++;
    }
    pw_assert(word.begin <= word.end && word.end <= line->end);
    line->begin = word.end;
    return word;
}

static bool word_is(struct graph_line word, const char *name)
{
    size_t length = (size_t)(word.end - word.begin);
    return length == strlen(name) && strncasecmp(word.begin, name, length) == 0;
}

bool matrix_market_read_banner(struct graph_header *header)
{
    struct graph_line line;
    unsigned values[COUNT_OF(banner_words)];
    if (!find_banner(header, &line)) {
        return graph_fail(header->error, header->source->name,
                          "expected the banner \"%%%%MatrixMarket matrix coordinate ...\"");
    }
    struct graph_line banner = next_word(&line);
    for (size_t i = 0; i < COUNT_OF(banner_words); i++) {
        const struct banner_word *expected = &banner_words[i];
        struct graph_line word = next_word(&line);
        size_t k = 0;
        while (expected->legal[k].name != NULL && !word_is(word, expected->legal[k].name)) {
            k++;
        }
        if (expected->legal[k].name == NULL) {
            return graph_header_fail(header, expected->expected, word);
        }
        values[i] = expected->legal[k].value;
    }
    pw_assert(values[WORD_FIELD] <= 2 && values[WORD_SYMMETRY] <= 1);
    header->format->kind = FORMAT_MATRIX_MARKET;
    header->format->rules.value_count = values[WORD_FIELD];
    header->format->symmetric = values[WORD_SYMMETRY] == 1;
    if (values[WORD_FIELD] > 0) {
        graph_header_remark_weights(header);
    }
    if (banner.end - banner.begin > 1 && banner.begin[1] != '%') {
        graph_header_remark(header, "the Matrix Market banner has one % instead of two",
                            GRAPH_REMEDY_NONE);
    }
    return true;
}

bool matrix_market_read(struct graph_header *header)
{
    struct graph_line line;
    uint64_t values[4];
    const char *name = header->source->name;
    if (!matrix_market_read_banner(header) ||
        !graph_header_next_data(header, '\0', "size line", &line)) {
        return false;
    }
    if (graph_line_numbers(line, values) != 3) {
        return graph_header_fail(header, "the size line \"rows columns entries\"", line);
    }
    if (values[0] > GRAPH_NODE_MAX || values[1] > GRAPH_NODE_MAX) {
        char quoted[GRAPH_QUOTE_SIZE];
        return graph_fail_line(header->error, name, header->line,
                               "a graph has at most %llu nodes, found %s",
                               (unsigned long long)GRAPH_NODE_MAX,
                               graph_quote(quoted, line.begin, (size_t)(line.end - line.begin)));
    }
    if (values[2] > 0 && (values[0] == 0 || values[1] == 0)) {
        return graph_fail_line(header->error, name, header->line,
                               "%llu entries declared in an empty matrix",
                               (unsigned long long)values[2]);
    }
    graph_header_declare(header, values[0], values[1], values[2]);
    return true;
}
