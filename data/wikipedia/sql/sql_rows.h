/*
 * sql_rows.h - what is known while a piece is read, and the rows of an INSERT: values in all their
 * forms; rows in their usual form and runs of numbers by shorter ways. For sql_parser.c.
 */
#pragma once

#include "sql_schema.h"

#define SQL_BATCH   128 /* rows that are handed out at once */
#define SQL_RUN_MAX 256 /* rows of a run */

enum sql_place { SQL_STATEMENT, SQL_ROW, SQL_AFTER_ROW };

/* Where in the dump a piece begins or ends. */
struct sql_state {
    enum sql_place place;
    struct sql_layout layout; /* of the INSERT that it is in; else zero */
};

/*
 * Take rows: count times SQL_WANTED_MAX values. NULL when fine; else the rule that a row breaks,
 * with *bad set to its number in the batch.
 */
typedef const char *sql_take(void *context, struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                             size_t *bad);

/* What the rows' user looks up by the numbers of a run. */
struct sql_ahead {
    const uint32_t *items;
    uint64_t count;
};

/*
 * Take a run of rows that are equal but for the number of one wanted column, which comes last:
 * numbers has it, UINT32_MAX where it is larger. NULL, or the rule that the first of them breaks.
 */
typedef const char *sql_take_run(void *context, const struct sql_value row[SQL_WANTED_MAX],
                                 const uint32_t *numbers, size_t count);

struct sql_parser {
    const struct sql_table *table;
    sql_take *take;
    sql_take_run *take_run; /* or NULL */
    int run_column;         /* the wanted column that runs differ in */
    struct sql_ahead ahead; /* fetched as they are read */
    void *context;
    /* Once the columns are known, before any row; or NULL. False with the rule. */
    bool (*declared)(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE]);
    struct sql_schema schema;
    struct sql_state state;
    uint64_t statements, rows; /* begun in these pieces; rows of the last of them */
    bool has_ended;            /* "-- Dump completed" came last */
    bool is_open;              /* something else came last */
    bool is_cut;               /* the rule is that the dump ends inside a statement */
    char date[16];             /* of that line: 2026-11-01, or "" */
    char database[64];         /* that the dump's head names, or "" */
    char rule[SQL_RULE_SIZE];  /* what is wrong; "": nothing */
    char *texts;               /* unescaped texts of the piece */
    size_t texts_used, texts_size;
    size_t batched;
    uint64_t batch_row; /* the number of the last one */
    struct sql_value batch[SQL_BATCH][SQL_WANTED_MAX];
};

/* Set the rule that is broken, if none is. Returns NULL, for `return sql_rows_fail(...)`. */
__attribute__((format(printf, 2, 3))) const char *sql_rows_fail(struct sql_parser *parser,
                                                                const char *format, ...);

/* Hand out the batch. False with the rule and its row set when it was refused. */
bool sql_rows_hand_out(struct sql_parser *parser);

/* A row with its bracket, into the batch. Returns what follows; NULL where the piece ends inside it
 * or a rule is broken. */
const char *sql_rows_read(struct sql_parser *parser, const char *p, const char *end);

/* Rows of numbers only, without white space and followed by another row, as pagelinks has them:
 * those of a page differ in the last number only. p is at a bracket. Returns where the first other
 * row is, which is for sql_rows_read; NULL: one was refused. */
const char *sql_rows_read_runs(struct sql_parser *parser, const char *p);
