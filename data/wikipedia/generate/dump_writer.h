/*
 * dump_writer.h - rows of a table as mysqldump writes them, into a file that may be compressed.
 */
#pragma once

#include "base/replace/file_replace.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_writer {
    const char *table;
    bool one_row_per_line; /* as newer clients write; else a statement per line */
    void *gzip;            /* gzFile, which may be transparent */
    struct file_replace file;
    char *buffer;
    size_t used;
    size_t statement; /* bytes of it so far; 0: none is open */
    bool failed;
    uint64_t rows;
};

/* Begin PATH, which keeps its old content until all is written, with the dump's head; create:
 * CREATE TABLE and what belongs to it. table NULL: a text, without a head. level: of gzip; 0:
 * plain. False with errno set. */
bool dump_writer_open(struct dump_writer *writer, const char *path, int level,
                      bool one_row_per_line, const char *wiki, const char *table,
                      const char *create);

/* A row: first, values in between, last. */
void dump_writer_begin_row(struct dump_writer *writer);
void dump_writer_number(struct dump_writer *writer, uint64_t value);
void dump_writer_plain(struct dump_writer *writer, const char *text);
void dump_writer_text(struct dump_writer *writer, const char *text, size_t length);
void dump_writer_end_row(struct dump_writer *writer);

/* End the dump, with its last line; date NULL: the text. False with errno set, and the old content
 * still there, when not all of it was written, or failed was set. */
bool dump_writer_close(struct dump_writer *writer, const char *date);
