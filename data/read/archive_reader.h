/*
 * archive_reader.h - decoded bytes of what libarchive knows: bzip2, xz, zstd, gzip, and tar in
 * them.
 *
 * Of a tar the one acceptable file is taken: NAME/NAME.mtx, as SuiteSparse packs a matrix, or else
 * the only file whose first bytes are acceptable. Two of them are refused by name.
 */
#ifndef PW_ARCHIVE_READER_H
#define PW_ARCHIVE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct archive_reader;

/* Where the packed bytes come from: 0 at the end; negative, with error set, on failure. */
typedef ssize_t archive_reader_take(void *context, char *to, size_t length, const char **error);

/* Whether a file of a tar can be what is looked for, by its first bytes; a NUL follows them. */
typedef bool archive_reader_accept(const char *bytes, size_t length);

/* Nothing is read yet. accept: NULL takes any file. Returns NULL when out of memory. */
struct archive_reader *archive_reader_open(archive_reader_take *take, void *context,
                                           archive_reader_accept *accept);

/* Some decoded bytes, at most length; 0 at the end; -1, from then on, when decoding failed. */
ssize_t archive_reader_read(struct archive_reader *reader, char *to, size_t length);

/* Why archive_reader_read failed. */
const char *archive_reader_error(const struct archive_reader *reader);

/* NULL is fine. */
void archive_reader_close(struct archive_reader *reader);

#endif
