/*
 * graph_header.c - walks over the first lines of a text.
 */
#include "graph_header.h"
#include "base/pw_assert.h"
#include "text_reader.h"
#include <ctype.h>
#include <string.h>

bool graph_header_next(struct graph_header *header, struct graph_line *line)
{
    struct text_source *source = header->source;
    for (;;) {
        pw_assert(header->offset <= source->head_length);
        const char *begin = source->head + header->offset;
        size_t left = source->head_length - header->offset;
        const char *newline = memchr(begin, '\n', left);
        if (newline != NULL || (source->head_is_all && left > 0)) {
            *line = (struct graph_line){begin, newline != NULL ? newline : begin + left};
            header->offset += (size_t)(line->end - begin) + (newline != NULL);
            header->line++;
            pw_assert(line->begin <= line->end && header->line <= header->offset);
            return true;
        }
        if (left > TEXT_LINE_MAX) {
            return text_fail_too_long(source->name, header->line + 1, TEXT_LINE_MAX, header->error);
        }
        if (source->head_is_all || !text_source_grow_head(source, header->error)) {
            return false;
        }
    }
}

bool graph_header_next_data(struct graph_header *header, char comment, const char *what,
                            struct graph_line *line)
{
    do {
        if (!graph_header_next(header, line)) {
            return graph_fail_line(header->error, header->source->name, header->line,
                                   "the file ends before the %s", what);
        }
    } while (graph_line_is_comment(*line) ||
             (comment != '\0' && graph_line_has_letter(*line, comment)));
    return true;
}

bool graph_header_fail(const struct graph_header *header, const char *what, struct graph_line line)
{
    char quoted[GRAPH_QUOTE_SIZE];
    graph_quote(quoted, line.begin, (size_t)(line.end - line.begin));
    return graph_fail_line(header->error, header->source->name, header->line,
                           "expected %s, found %s", what, quoted);
}

void graph_header_declare(struct graph_header *header, uint64_t sources, uint64_t targets,
                          uint64_t entries)
{
    struct graph_format *format = header->format;
    pw_assert(sources <= GRAPH_NODE_MAX && targets <= GRAPH_NODE_MAX && !format->has_counts);
    format->rules.source_min = format->rules.target_min = 1;
    format->rules.source_max = sources;
    format->rules.target_max = targets;
    format->has_counts = true;
    format->node_count = sources > targets ? sources : targets;
    format->entry_count = entries;
    format->header_line = header->line;
}

void graph_header_remark(const struct graph_header *header, const char *text,
                         enum graph_remedy remedy)
{
    if (header->options->note != NULL) {
        header->options->note(header->options->context, text, remedy);
    }
}

void graph_header_remark_weights(const struct graph_header *header)
{
    graph_header_remark(header, "weights are ignored", GRAPH_REMEDY_NONE);
}

const char *graph_line_start(struct graph_line line)
{
    const char *p = line.begin;
    while (p < line.end && (*p == ' ' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

bool graph_line_is_comment(struct graph_line line)
{
    const char *p = graph_line_start(line);
    if (p == line.end || *p == '#') {
        return true;
    }
    bool encoded = line.end - p > 3 && isxdigit((unsigned char)p[1]) &&
                   isxdigit((unsigned char)p[2]) && memchr(p, '\t', (size_t)(line.end - p)) != NULL;
    return *p == '%' && !encoded;
}

bool graph_line_has_letter(struct graph_line line, char letter)
{
    return line.begin < line.end && *line.begin == letter &&
           (line.begin + 1 == line.end || is_one_of(line.begin[1], " \t\r"));
}

bool graph_line_number(struct graph_line *line, uint64_t *value)
{
    const char *begin = graph_line_start(*line), *end = line->end, *p = begin;
    uint64_t number = 0;
    bool fits = true;
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        number = number * 10 + (uint64_t)(*p - '0');
    }
    if (p - begin > DIGITS_FIT) {
        number = 0;
        for (const char *q = begin; q < p && fits; q++) {
            fits = !__builtin_mul_overflow(number, 10, &number) &&
                   !__builtin_add_overflow(number, (uint64_t)(*q - '0'), &number);
        }
    }
    bool found = fits && p > begin && (p == end || *p == ' ' || *p == '\t' || *p == '\r');
    pw_assert(begin <= p && p <= end);
    line->begin = found ? p : begin;
    *value = number;
    return found;
}

size_t graph_line_numbers(struct graph_line line, uint64_t values[4])
{
    size_t count = 0;
    uint64_t value;
    while (graph_line_number(&line, &value)) {
        if (count < 4) {
            values[count] = value;
        }
        count++;
    }
    return line.begin == line.end ? count : SIZE_MAX;
}
