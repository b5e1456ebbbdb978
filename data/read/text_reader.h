/*
 * text_reader.h - a part of a text, in blocks of whole lines.
 *
 * A line belongs to the part that holds its first byte, so parts that touch share no line and lose
 * none. A block ends with a newline even if the text does not, and may be read for TEXT_PADDING
 * bytes before and after.
 */
#pragma once

#include "text_source.h"

#define TEXT_PADDING 64

struct text_reader {
    struct text_source *source;
    uint64_t position; /* of the next byte to read */
    uint64_t end;      /* where the next part begins; UINT64_MAX for the rest */
    char *buffer;      /* the block lies TEXT_PADDING bytes after its start */
    size_t capacity;   /* bytes that fit between the paddings */
    size_t used;       /* bytes there */
    size_t given;      /* of these, bytes that the last block held */
    size_t line_max;   /* bytes; a longer line is refused */
    bool skipping;     /* the line that began in the part before goes on */
    bool is_too_long;  /* reading failed at a line longer than line_max */
    bool ended;
};

#define TEXT_LINE_MAX ((size_t)1 << 20) /* for lines that hold a few numbers */

/* Read the lines that start at begin or later, and before end. False when out of memory. */
bool text_reader_init(struct text_reader *reader, struct text_source *source, uint64_t begin,
                      uint64_t end, size_t line_max, struct graph_error *error);

/*
 * The next block; length 0 at the end. It is valid until the next call. Returns false with error
 * set. At a line longer than line_max it first gives all lines before; then it returns false with
 * is_too_long set, and the caller reports the line's number.
 */
bool text_reader_next(struct text_reader *reader, const char **text, size_t *length,
                      struct graph_error *error);

/* Give the last bytes of the block again at the start of the next one, with more after them. */
void text_reader_keep(struct text_reader *reader, size_t bytes);

void text_reader_free(struct text_reader *reader);

/* Set error: a line is longer than line_max. Returns false. */
bool text_fail_too_long(const char *name, uint64_t line, size_t line_max,
                        struct graph_error *error);

/* The lines of a small file, one by one. */
struct text_lines {
    struct text_source source;
    struct text_reader reader;
    const char *next; /* bytes of the block that were not given yet */
    size_t left;
    uint64_t number; /* of the last line, from 1 */
};

/* decoder: as for text_source_open. */
bool text_lines_open(struct text_lines *lines, const char *path, const struct text_decoder *decoder,
                     struct graph_error *error);

/* The next line, without its newline. False at the end; also, with error set, on failure. */
bool text_lines_next(struct text_lines *lines, const char **begin, const char **end,
                     struct graph_error *error);

/* False if error is set, or if the file changed while it was read; then error gets set. */
bool text_lines_close(struct text_lines *lines, struct graph_error *error);
