/*
 * archive_reader.h - decoded bytes of what libarchive knows: bzip2, xz, zstd, gzip, and tar in
 * them.
 *
 * Of a tar the one acceptable file is taken: NAME/NAME.mtx, as SuiteSparse packs a matrix, or else
 * the only file whose first bytes are acceptable. Two of them are refused by name.
 */
#pragma once

#include "gzip_reader.h"

struct archive_reader;

/* How to choose a file of a tar. */
struct archive_choice {
    /* Whether it can be what is looked for, by its first bytes; a NUL follows them. */
    bool (*accepts)(const void *context, const char *bytes, size_t length);
    const void *context;
};

/* take: where the packed bytes come from. choice: NULL takes any file. NULL when out of memory. */
struct archive_reader *archive_reader_open(byte_take *take, void *context,
                                           const struct archive_choice *choice);

/* A byte_take of the reader: some decoded bytes; -1, from then on, when decoding failed. */
ssize_t archive_reader_read(void *reader, char *to, size_t length, const char **error);

/* NULL is fine. */
void archive_reader_close(struct archive_reader *reader);
