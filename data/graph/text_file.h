/*
 * text_file.h - a whole file in memory, and its lines.
 */
#ifndef PW_TEXT_FILE_H
#define PW_TEXT_FILE_H

#include "graph_error.h"

struct text_file {
    char *text; /* length bytes and a NUL */
    size_t length;
};

/* Read a whole file. Refuses a directory, an empty file and what cannot be read. */
bool text_file_read(const char *path, struct text_file *file, struct graph_error *error);

void text_file_free(struct text_file *file);

/* Where the line that begins at p ends: at its newline, or at the end of the text. */
const char *text_line_end(const char *p, const char *end);

#endif
