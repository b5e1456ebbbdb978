/*
 * text_pull.h - reads a text, given in pieces, as single bytes, with line numbers.
 */
#pragma once

#include "data/read/graph_reader.h"

struct text_pull {
    struct graph_reading *reading;
    const char *at, *end; /* the rest of the piece */
    bool has_ended, has_failed;
    uint64_t line;    /* of the byte taken last, from 1 */
    bool is_line_end; /* that byte was a newline */
    char *buffer;     /* the text from text_pull_keep */
    size_t used, capacity;
};

#define TEXT_PULL_MAX ((size_t)1 << 20) /* bytes of a kept text; longer is refused */

void text_pull_init(struct text_pull *pull, struct graph_reading *reading);
void text_pull_free(struct text_pull *pull);

/* Get the next piece. False at the end, and after a failure, which sets error. */
bool text_pull_more(struct text_pull *pull);

/* The next byte; -1 at the end and after a failure. */
static inline int text_pull_byte(struct text_pull *pull)
{
    if (pull->at == pull->end && !text_pull_more(pull)) {
        return -1;
    }
    pull->line += pull->is_line_end;
    pull->is_line_end = *pull->at == '\n';
    return (unsigned char)*pull->at++;
}

/* Peek at the next byte; -1 at the end and after a failure. */
static inline int text_pull_peek(struct text_pull *pull)
{
    return pull->at == pull->end && !text_pull_more(pull) ? -1 : (unsigned char)*pull->at;
}

/* Add a byte to the buffer, which always ends with a NUL. False with error set. */
bool text_pull_keep(struct text_pull *pull, char byte);

/* Set "NAME:LINE: text" as the error, at the line of the byte taken last. Returns false. */
#define text_pull_fail(pull, ...)                                                                  \
    graph_fail_line((pull)->reading->error, (pull)->reading->name, (pull)->line, __VA_ARGS__)
