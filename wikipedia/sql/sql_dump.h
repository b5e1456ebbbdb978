/*
 * sql_dump.h - reads the dump of a table: several threads decompress and parse, and the rows are
 * taken in the order of the file.
 *
 * 1. One thread reads until the columns are known.
 * 2. Then a worker decompresses (data/decode) the next pieces of 960 KiB or more while there is
 *    room for pieces, and cuts each after its last line that ends with a semicolon or comes before
 *    a bracket: clients escape line breaks in texts, so a statement or a row ends there. The others
 *    each read one piece into an output of their own; so does the first one when the room is full.
 * 3. Outputs are handed over in the order of the file. A piece that does not begin where the one
 *    before ended is an error: a line was split. So the result does not depend on the threads.
 * 4. What cannot be cut in 2 MiB, and all after it, is read by one thread.
 * Cost: 4 MiB per worker and what its output holds.
 */
#pragma once

#include "data/graph/graph_error.h"
#include "sql_parser.h"
#include <signal.h>

#define SQL_COUNT_MAX 40

/* What a worker makes of a piece. */
struct sql_output {
    char *bytes;
    size_t used, size;
    uint64_t counts[SQL_COUNT_MAX];
    uint64_t memory[4]; /* from one batch to the next; 0 at the start of a piece */
};

/* Make room for more bytes after the used ones; NULL when out of memory. */
void *sql_output_room(struct sql_output *output, size_t length);

/* Takes the rows. */
struct sql_sink {
    void *context;
    /* By a worker: rows into an output. Returns the rule that a row breaks, or NULL. */
    const char *(*rows)(void *context, struct sql_output *output,
                        struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad);
    /* In the order of the file, by one thread at a time. False with the rule. */
    bool (*commit)(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE]);
    /* Once the columns are known, before any row; or NULL. False with the rule. */
    bool (*begin)(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE]);
};

struct sql_dump_options {
    unsigned threads;      /* at least 1 */
    bool allow_incomplete; /* accept a dump that breaks off */
    const volatile sig_atomic_t *cancel;
    /* Bytes of the file so far; from one thread at a time. */
    void (*progress)(void *context, uint64_t bytes_done);
    void *context;
};

/* The facts about a dump that was read. */
struct sql_dump_facts {
    char date[16];      /* of completion, or "" */
    char database[64];  /* or "" */
    uint64_t decode_ns; /* processor time of decompression */
    char broken[300];   /* why it is incomplete, if that is allowed; else "" */
};

/* Read all of a dump. False with error set: "FILE: statement 3, row 17: expected 3 values, ..." */
bool sql_dump_read(const char *path, const struct sql_table *table, const struct sql_sink *sink,
                   const struct sql_dump_options *options, struct sql_dump_facts *facts,
                   struct graph_error *error);
