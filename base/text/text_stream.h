/*
 * text_stream.h - a stream into a text in memory, which is whole or missing.
 *
 * glibc's open_memstream drops what it finds no memory for; neither ferror nor fclose reports it.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/*
 * Open a stream. fclose sets *text, for free(3), to what was written, and *length to its bytes
 * without the NUL. If memory was short, fclose returns EOF and sets *text to NULL. Returns NULL
 * when out of memory.
 */
FILE *text_stream_open(char **text, size_t *length);

/* Texts in a line, "Shoe -> Leather -> Cheese", for free(3). NULL when out of memory. */
char *text_path(const char *const *texts, size_t count);
