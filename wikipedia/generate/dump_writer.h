/*
 * dump_writer.h - writes rows of a table as mysqldump does, into a plain or compressed file.
 */
#pragma once

#include "base/replace/file_replace.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_writer {
    const char *table;
    bool one_row_per_line; /* as newer clients write; else a statement per line */
    void *gzip;            /* a gzFile, plain or compressed */
    struct file_replace file;
    char *buffer;
    size_t used;
    size_t statement; /* bytes of it so far; 0: none is open */
    bool failed;
    uint64_t rows;
};

/* Begin PATH, whose old content stays until the end, with the dump's head. create: CREATE TABLE and
 * what belongs to it. table NULL: a text without a head. level: of gzip; 0: plain. False with errno
 * set. */
bool dump_writer_open(struct dump_writer *writer, const char *path, int level,
                      bool one_row_per_line, const char *wiki, const char *table,
                      const char *create);

/* A row: first, values in between, last. */
void dump_writer_begin_row(struct dump_writer *writer);
void dump_writer_number(struct dump_writer *writer, uint64_t value);
void dump_writer_plain(struct dump_writer *writer, const char *text);
void dump_writer_text(struct dump_writer *writer, const char *text, size_t length);
void dump_writer_end_row(struct dump_writer *writer);

/* End the dump with its last line; date NULL: end the text. If anything failed, returns false with
 * errno set and keeps the old content. */
bool dump_writer_close(struct dump_writer *writer, const char *date);
