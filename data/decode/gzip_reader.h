/*
 * gzip_reader.h - decoded bytes of gzip members; each member's length and CRC-32 are checked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The source of bytes: some of them; 0 at the end; negative, with error set, on failure. */
typedef ssize_t byte_take(void *context, char *to, size_t length, const char **error);

struct gzip_reader {
    struct gzip_decoder *decoder; /* zlib's or ISA-L's */
    byte_take *take;
    void *context;
    char *input;
    size_t next, length; /* of input */
    bool between, ended; /* after a member; after all of them */
    const char *error;   /* why reading failed, or NULL */
};

/* take: where the compressed bytes come from. Returns false when out of memory. */
bool gzip_reader_init(struct gzip_reader *reader, byte_take *take, void *context);

/*
 * A byte_take of the reader. It gives fewer bytes than length only at the end or before a failure;
 * the next call returns the failure.
 */
ssize_t gzip_reader_read(void *reader, char *to, size_t length, const char **error);

/* A zeroed reader is fine. */
void gzip_reader_free(struct gzip_reader *reader);
