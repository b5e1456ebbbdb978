/*
 * gzip_reader.h - decoded bytes of gzip members, each one's length and CRC-32 checked.
 */
#ifndef PW_GZIP_READER_H
#define PW_GZIP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <zlib.h>

struct gzip_reader {
    z_stream decoder;
    ssize_t (*take)(void *context, char *to, size_t length); /* 0 at the end, negative: errno */
    void *context;
    char *input;
    bool started, between, ended; /* decoder to be freed; after a member; after all of them */
    const char *error;            /* why reading failed, or NULL */
};

/* take: where the compressed bytes come from. Returns false when out of memory. */
bool gzip_reader_init(struct gzip_reader *reader,
                      ssize_t (*take)(void *context, char *to, size_t length), void *context);

/*
 * Up to length decoded bytes, fewer only at the end or before a failure, which the next call
 * returns as -1 with error set.
 */
ssize_t gzip_reader_read(struct gzip_reader *reader, char *to, size_t length);

/* A zeroed reader is fine. */
void gzip_reader_free(struct gzip_reader *reader);

#endif
