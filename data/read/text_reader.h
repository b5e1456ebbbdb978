/*
 * text_reader.h - a part of a text, in blocks of whole lines.
 *
 * A line belongs to the part that holds its first byte, so parts that touch share no line and lose
 * none. A block ends with a newline even where the text does not, and may be read for TEXT_PADDING
 * bytes before and after.
 */
#ifndef PW_TEXT_READER_H
#define PW_TEXT_READER_H

#include "text_source.h"

#define TEXT_PADDING 64

struct text_reader {
    struct text_source *source;
    uint64_t position; /* of the next byte to read */
    uint64_t end;      /* where the next part begins; UINT64_MAX for the rest */
    char *buffer;      /* the block lies TEXT_PADDING bytes behind its start */
    size_t capacity;   /* bytes that fit between the paddings */
    size_t used;       /* bytes there */
    size_t given;      /* bytes of those that the last block held */
    bool skipping;     /* the line that started in the part before has not ended */
    bool ended;
};

/* Read the lines that start at begin or later, and before end. False when out of memory. */
bool text_reader_init(struct text_reader *reader, struct text_source *source, uint64_t begin,
                      uint64_t end, struct graph_error *error);

/* The next block; length 0 at the end. It is valid until the next call. False with error set. */
bool text_reader_next(struct text_reader *reader, const char **text, size_t *length,
                      struct graph_error *error);

void text_reader_free(struct text_reader *reader);

#endif
