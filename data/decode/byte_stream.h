/*
 * byte_stream.h - decoded bytes from a file descriptor, if wanted by a separate thread.
 *
 * 1. A thread reads, decompresses and unpacks into a ring of buffers, waiting while all are full.
 * 2. The reader takes bytes from the oldest full buffer, waiting while no buffer is full.
 * gzip is decoded by gzip_decoder.h, its checksums verified; bzip2, xz, zstd and tar by libarchive.
 */
#pragma once

#include "archive_reader.h"
#include <stdatomic.h>
#include <stdint.h>

#define BYTE_STREAM_FRONT 512 /* bytes that show what a file is; enough to see a tar */

struct byte_stream;

/* True if the first bytes of a file show that it has to be decoded. */
bool byte_stream_is_packed(const char *bytes, size_t length);

/*
 * Start reading from fd. The bytes in front, at most BYTE_STREAM_FRONT, were already read from it;
 * they are copied and come first.
 * packed: decode, and in a tar take the file that choice takes. threaded: use a separate thread;
 * else byte_stream_read does the work. bytes_done always holds the number of bytes taken from fd.
 * Returns NULL when out of memory.
 */
struct byte_stream *byte_stream_open(int fd, const char *front, size_t front_length, bool packed,
                                     const struct archive_choice *choice, bool threaded,
                                     atomic_uint_least64_t *bytes_done);

/* Up to length bytes, fewer only at the end; SIZE_MAX, and why, when reading or decoding failed. */
size_t byte_stream_read(struct byte_stream *stream, char *to, size_t length, const char **error);

/* Stop the thread and free everything; NULL is fine. */
void byte_stream_close(struct byte_stream *stream);
