/*
 * text_reader.c - cut a text into blocks of whole lines.
 *
 * A block fits the second-level cache, so that the parser finds there what the read has just put
 * into it, and is large enough for few system calls.
 */
#include "text_reader.h"
#include "base/pw_assert.h"
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)256 << 10)
#define TAIL_SIZE  ((size_t)4 << 10) /* what is read at a time to end the last line of a part */

bool text_reader_init(struct text_reader *reader, struct text_source *source, uint64_t begin,
                      uint64_t end, struct graph_error *error)
{
    memset(reader, 0, sizeof(*reader));
    reader->source = source;
    reader->skipping = begin > 0;
    reader->position = begin > 0 ? begin - 1 : 0;
    reader->end = end;
    reader->capacity = BLOCK_SIZE + TAIL_SIZE;
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
    reader->buffer = buffer;
    reader->capacity = capacity;
    return true;
}

/* Drop the rest of a line that started before the part; used becomes what follows it. */
static void skip_line(struct text_reader *reader, char *text)
{
    char *newline = memchr(text, '\n', reader->used);
    size_t dropped = newline != NULL ? (size_t)(newline - text) + 1 : reader->used;
    reader->used -= dropped;
    memmove(text, text + dropped, reader->used);
    reader->skipping = newline == NULL;
    if (reader->skipping || reader->position - reader->used >= reader->end) {
        reader->ended = reader->position >= reader->end;
    }
    if (reader->ended) {
        reader->used = 0;
    }
}

/* Bytes at the start of the text that are whole lines of the part; 0 when more must be read. */
static size_t whole_lines(struct text_reader *reader, const char *text)
{
    const char *newline;
    if (reader->position < reader->end) {
        newline = memrchr(text, '\n', reader->used);
        return newline != NULL ? (size_t)(newline - text) + 1 : 0;
    }
    /* The first newline that is not before the last byte of the part ends the part. */
    size_t past = (size_t)(reader->position - reader->end) + 1;
    size_t from = reader->used > past ? reader->used - past : 0;
    newline = memchr(text + from, '\n', reader->used - from);
    reader->ended = newline != NULL;
    return newline != NULL ? (size_t)(newline - text) + 1 : 0;
}

bool text_reader_next(struct text_reader *reader, const char **text, size_t *length,
                      struct graph_error *error)
{
    char *begin = reader->buffer + TEXT_PADDING;
    *length = 0;
    reader->used -= reader->given;
    memmove(begin, begin + reader->given, reader->used);
    reader->given = 0;
    while (!reader->ended && *length == 0) {
        size_t wanted = TAIL_SIZE;
        if (reader->position < reader->end) {
            uint64_t left = reader->end - reader->position;
            wanted = left < BLOCK_SIZE ? (size_t)left : BLOCK_SIZE;
        }
        if (!make_room(reader, wanted, error)) {
            return false;
        }
        begin = reader->buffer + TEXT_PADDING;
        size_t got =
            text_source_read(reader->source, reader->position, begin + reader->used, wanted, error);
        if (got == SIZE_MAX) {
            return false;
        }
        reader->position += got;
        reader->used += got;
        if (got == 0) {
            reader->ended = true;
            if (reader->used > 0 && !reader->skipping) {
                if (begin[reader->used - 1] != '\n') {
                    begin[reader->used++] = '\n';
                }
                *length = reader->used;
            }
        } else if (reader->skipping) {
            skip_line(reader, begin);
        }
        if (got > 0 && !reader->skipping && !reader->ended) {
            *length = whole_lines(reader, begin);
        }
    }
    *text = reader->buffer + TEXT_PADDING;
    reader->given = *length;
    pw_assert(reader->given <= reader->used && reader->used <= reader->capacity + 1);
    pw_assert(*length == 0 || (*text)[*length - 1] == '\n');
    return true;
}
