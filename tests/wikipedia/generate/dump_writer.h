/*
 * dump_writer.h - writes rows of a table as mysqldump does, into a plain or compressed file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_writer {
    const char *table;
    bool one_row_per_line; /* as newer clients write; else a statement per line */
    void *gzip;            /* a gzFile, plain or compressed */
    size_t statement;      /* bytes of it so far; 0: no statement is open */
    bool is_first;         /* no value of the row is written */
    bool failed;
};

/* Begin PATH with the dump's head. create: the columns of CREATE TABLE. level: of gzip; 0: plain.
 * False with errno set. */
bool dump_writer_open(struct dump_writer *writer, const char *path, int level,
                      bool one_row_per_line, const char *wiki, const char *table,
                      const char *create);

/* A row: first, values in between, last. */
void dump_writer_begin_row(struct dump_writer *writer);
void dump_writer_number(struct dump_writer *writer, uint64_t value);
void dump_writer_plain(struct dump_writer *writer, const char *text);
void dump_writer_text(struct dump_writer *writer, const char *text, size_t length);
void dump_writer_end_row(struct dump_writer *writer);

/* End the dump with its last line. False, with errno set, if anything failed. */
bool dump_writer_close(struct dump_writer *writer, const char *date);
