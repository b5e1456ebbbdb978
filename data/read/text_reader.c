/*
 * text_reader.c - cuts a text into blocks of whole lines.
 *
 * A block fits the second-level cache, so that the parser finds the bytes of the last read there,
 * and is large enough for few system calls.
 */
#include "text_reader.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)256 << 10)
#define TAIL_SIZE  ((size_t)4 << 10) /* bytes per read to complete the last line of a part */

bool text_fail_too_long(const char *name, uint64_t line, size_t line_max, struct graph_error *error)
{
    char limit[32];
    return graph_fail_line(error, name, line, "the line is longer than %s",
                           memory_text(limit, line_max));
}

bool text_reader_init(struct text_reader *reader, struct text_source *source, uint64_t begin,
                      uint64_t end, size_t line_max, struct graph_error *error)
{
    /* One byte before: if that is a newline, a line starts at begin, and is not skipped. */
    *reader = (struct text_reader){.source = source,
                                   .position = begin > 0 ? begin - 1 : 0,
                                   .end = end,
                                   .capacity = BLOCK_SIZE + TAIL_SIZE,
                                   .line_max = line_max,
                                   .skipping = begin > 0};
    reader->buffer = calloc(1, reader->capacity + 1 + 2 * TEXT_PADDING);
    return reader->buffer != NULL || graph_fail(error, source->name, "out of memory");
}

void text_reader_free(struct text_reader *reader)
{
    free(reader->buffer);
    memset(reader, 0, sizeof(*reader));
}

static bool make_room(struct text_reader *reader, size_t room, struct graph_error *error)
{
    if (reader->capacity - reader->used >= room) {
        return true;
    }
    size_t capacity = reader->capacity * 2 + room;
    char *buffer = realloc(reader->buffer, capacity + 1 + 2 * TEXT_PADDING);
    if (buffer == NULL) {
        return graph_fail(error, reader->source->name, "a line is too long for the memory");
    }
    pw_assert(capacity - reader->used >= room);
    reader->buffer = buffer;
    reader->capacity = capacity;
    return true;
}

/* Drop the rest of a line that started before the part; keep the bytes after it. */
static void skip_line(struct text_reader *reader, char *text)
{
    char *newline = memchr(text, '\n', reader->used);
    size_t dropped = newline != NULL ? (size_t)(newline - text) + 1 : reader->used;
    pw_assert(dropped <= reader->used);
    reader->used -= dropped;
    memmove(text, text + dropped, reader->used);
    reader->skipping = newline == NULL;
    reader->ended = reader->position - reader->used >= reader->end;
}

/*
 * Read once. Returns how many bytes at the start of the text are whole lines of the part; 0 if more
 * must be read; SIZE_MAX with error set.
 */
static size_t read_lines(struct text_reader *reader, struct graph_error *error)
{
    /* After the part, only the rest of its last line may be missing. */
    bool is_tail = reader->position >= reader->end;
    uint64_t left = is_tail ? TAIL_SIZE : reader->end - reader->position;
    size_t wanted = left < BLOCK_SIZE ? (size_t)left : BLOCK_SIZE;
    if (!make_room(reader, wanted, error)) {
        return SIZE_MAX;
    }
    char *text = reader->buffer + TEXT_PADDING;
    size_t old = reader->used; /* these hold no newline */
    size_t got = text_source_read(reader->source, reader->position, text + old, wanted, error);
    if (got == SIZE_MAX) {
        return SIZE_MAX;
    }
    if (got == 0) {
        reader->ended = true;
        if (old > 0) {
            text[reader->used++] = '\n';
        }
        return reader->used;
    }
    pw_assert(got <= wanted && old + got <= reader->capacity);
    reader->position += got;
    reader->used += got;
    if (reader->skipping) {
        skip_line(reader, text);
    }
    size_t fresh = reader->used - old;
    if (reader->used > reader->line_max) {
        const char *first = memchr(text + old, '\n', fresh);
        if (first == NULL || (size_t)(first - text) > reader->line_max) {
            reader->is_too_long = true;
            return SIZE_MAX;
        }
    }
    const char *newline =
        is_tail ? memchr(text + old, '\n', fresh) : memrchr(text + old, '\n', fresh);
    size_t length = newline != NULL ? (size_t)(newline - text) + 1 : 0;
    reader->ended |=
        reader->position >= reader->end && (is_tail ? length > 0 : length == reader->used);
    return length;
}

bool text_reader_next(struct text_reader *reader, const char **text, size_t *length,
                      struct graph_error *error)
{
    char *begin = reader->buffer + TEXT_PADDING;
    reader->used -= reader->given;
    memmove(begin, begin + reader->given, reader->used);
    reader->given = 0;
    while (!reader->ended && reader->given == 0) {
        size_t lines = read_lines(reader, error);
        if (lines == SIZE_MAX) {
            return false;
        }
        reader->given = lines;
    }
    *text = reader->buffer + TEXT_PADDING;
    *length = reader->given;
    pw_assert(reader->given <= reader->used && reader->used <= reader->capacity + 1);
    pw_assert(*length == 0 || (*text)[*length - 1] == '\n');
    return true;
}

void text_reader_keep(struct text_reader *reader, size_t bytes)
{
    pw_assert(bytes <= reader->given);
    reader->given -= bytes;
}

bool text_lines_open(struct text_lines *lines, const char *path, const struct text_decoder *decoder,
                     struct graph_error *error)
{
    *lines = (struct text_lines){0};
    if (!text_source_open(&lines->source, path, decoder, false, error)) {
        return false;
    }
    if (!text_reader_init(&lines->reader, &lines->source, 0, UINT64_MAX, TEXT_LINE_MAX, error)) {
        text_source_close(&lines->source, error);
        return false;
    }
    return true;
}

bool text_lines_next(struct text_lines *lines, const char **begin, const char **end,
                     struct graph_error *error)
{
    if (lines->left == 0) {
        if (!text_reader_next(&lines->reader, &lines->next, &lines->left, error)) {
            return lines->reader.is_too_long &&
                   text_fail_too_long(lines->source.name, lines->number + 1, TEXT_LINE_MAX, error);
        }
        if (lines->left == 0) {
            return false;
        }
    }
    *begin = lines->next;
    *end = memchr(lines->next, '\n', lines->left);
    lines->next = *end + 1;
    pw_assert(*end != NULL && (size_t)(lines->next - *begin) <= lines->left);
    lines->left -= (size_t)(lines->next - *begin);
    lines->number++;
    return true;
}

bool text_lines_close(struct text_lines *lines, struct graph_error *error)
{
    text_reader_free(&lines->reader);
    return text_source_close(&lines->source, error) && error->message[0] == '\0';
}
