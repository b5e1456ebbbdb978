/*
 * text_source.h - the source of a text: a plain file that several threads read at once, a stream
 * (a compressed or packed file, a pipe) that a separate thread fills, or a pipe whose lines are
 * wanted as they come.
 */
#pragma once

#include "data/graph/graph_error.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

struct archive_choice;
struct byte_stream;

#define TEXT_FRONT 512 /* bytes that show what a file is */

/*
 * Lent by a caller to read files that are not plain text: data/decode/byte_stream.h describes each
 * function. choice: which file of an archive to read; NULL takes any.
 */
struct text_decoder {
    bool (*is_packed)(const char *bytes, size_t length);
    struct byte_stream *(*open)(int fd, const char *front, size_t front_length, bool packed,
                                const struct archive_choice *choice, bool threaded,
                                atomic_uint_least64_t *bytes_done);
    size_t (*read)(struct byte_stream *stream, char *to, size_t length, const char **error);
    void (*close)(struct byte_stream *stream);
    const struct archive_choice *choice;
};

struct text_source {
    const char *name; /* for messages: the path, or "standard input" */
    int fd;
    struct stat opened;                  /* the file's state when it was opened */
    const volatile sig_atomic_t *cancel; /* not zero: reading fails; NULL at first */
    bool is_plain;                       /* any part may be read at any time */
    uint64_t start;                      /* where the text begins in a plain file */
    uint64_t size; /* bytes of a plain text, or of the compressed file; 0 not known */
    char *head;    /* the first bytes of the text, decoded */
    size_t head_length;
    bool head_is_all; /* head is the whole text */
    const struct text_decoder *decoder;
    struct byte_stream *stream;       /* of the decoder; NULL: the bytes of fd are the text */
    atomic_uint_least64_t bytes_done; /* of size, for the progress */
};

/*
 * Open a file, or standard input for "-", and read the first bytes of its text. decoder: for
 * compressed or packed files and for pipes. NULL: the bytes of a file are its text, and anything
 * but a file is refused. Also refused are a directory, an empty file, UTF-16, and unreadable files.
 * threaded: decode in a separate thread. Without it, a pipe of plain text is read as it comes: its
 * first bytes are at least a line. The name and the decoder must outlive the source.
 */
bool text_source_open(struct text_source *source, const char *path,
                      const struct text_decoder *decoder, bool threaded, struct graph_error *error);

/* Read twice as much head, or the whole text. */
bool text_source_grow_head(struct text_source *source, struct graph_error *error);

/*
 * Read up to length bytes at an offset of the text; a stream is read in ascending order only, by
 * one thread. A pipe that is read as it comes is waited for until it has some; cancel ends that.
 * Returns how many, 0 at the end of the text; SIZE_MAX with error set.
 */
size_t text_source_read(struct text_source *source, uint64_t offset, char *to, size_t length,
                        struct graph_error *error);

/* False, with error set, if the file's size or time has changed since the start. */
bool text_source_close(struct text_source *source, struct graph_error *error);
