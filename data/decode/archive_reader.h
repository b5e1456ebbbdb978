/*
 * archive_reader.h - decodes by libarchive: bzip2, xz, zstd, gzip, and tar in them.
 *
 * In a tar one acceptable file is taken: NAME/NAME.mtx, as SuiteSparse packs a matrix, or else the
 * only file whose first bytes are acceptable. A tar with two is refused, with both names.
 */
#pragma once

#include "gzip_reader.h"

struct archive_reader;

/* How to choose a file of a tar. */
struct archive_choice {
    /* True if a file with these first bytes is acceptable; a NUL follows them. */
    bool (*accepts)(const void *context, const char *bytes, size_t length);
    const void *context;
};

/* take: the source of the packed bytes. choice: NULL takes any file. NULL when out of memory.
 * If libarchive is not there, the first read says so. */
struct archive_reader *archive_reader_open(byte_take *take, void *context,
                                           const struct archive_choice *choice);

/* A byte_take of the reader: some decoded bytes; -1 when decoding failed, and ever after. */
ssize_t archive_reader_read(void *reader, char *to, size_t length, const char **error);

/* NULL is fine. */
void archive_reader_close(struct archive_reader *reader);
