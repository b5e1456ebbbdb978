/*
 * text_source.h - where text comes from: a plain file that several threads read at once, or a
 * stream (a pipe, standard input, a compressed or packed file) that a thread of its own fills.
 */
#pragma once

#include "data/decode/byte_stream.h"
#include "data/graph/graph_error.h"
#include <signal.h>
#include <sys/stat.h>

struct text_source {
    const char *name; /* for messages: the path, or "standard input" */
    int fd;
    struct stat opened;                  /* what the file was when it was opened */
    const volatile sig_atomic_t *cancel; /* not zero: reading fails; NULL at first */
    bool is_plain;                       /* any part may be read at any time */
    uint64_t start;                      /* where the text begins in a plain file */
    uint64_t size; /* bytes of a plain text, or of the compressed file; 0 not known */
    char *head;    /* the first bytes of the text, decoded */
    size_t head_length;
    bool head_is_all; /* the text is no longer than that */
    struct byte_stream *stream;
    atomic_uint_least64_t bytes_done; /* of size, for the progress */
};

/*
 * Open a file, or standard input for "-", and read the first bytes of its text. What is compressed
 * or packed is decoded: gzip, bzip2, xz, zstd, and a tar. Of a tar the one file that choice takes
 * is read; NULL takes any. Refuses a directory, an empty file, UTF-16, and what cannot be read.
 * threaded: decode in a thread of its own, see byte_stream.h. The name and the choice must outlive
 * the source.
 */
bool text_source_open(struct text_source *source, const char *path,
                      const struct archive_choice *choice, bool threaded,
                      struct graph_error *error);

/* Read twice as much head, or all there is. */
bool text_source_grow_head(struct text_source *source, struct graph_error *error);

/*
 * Read up to length bytes at an offset of the text; a stream is read in ascending order only, by
 * one thread. Returns how many, 0 at the end of the text; SIZE_MAX with error set.
 */
size_t text_source_read(struct text_source *source, uint64_t offset, char *to, size_t length,
                        struct graph_error *error);

/* False, with error set, when the file's size or time is not what it was at the start. */
bool text_source_close(struct text_source *source, struct graph_error *error);
