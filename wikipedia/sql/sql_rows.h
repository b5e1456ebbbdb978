/*
 * sql_rows.h - the state while a piece is read, and the rows of an INSERT. Rows without blanks are
 * read by a faster way. For sql_parser.c.
 */
#pragma once

#include "sql_schema.h"

#define SQL_BATCH 128 /* rows that are handed out at once */

/* Where in the dump a piece begins or ends. */
enum sql_place { SQL_STATEMENT, SQL_ROW, SQL_AFTER_ROW };

/*
 * Take rows: count times SQL_WANTED_MAX values. Returns NULL, or the rule that a row breaks, with
 * *bad set to the row's number in the batch.
 */
typedef const char *sql_take(void *context, struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                             size_t *bad);

/* The unescaped texts of a piece. */
struct sql_texts {
    char *bytes;
    size_t used, size;
};

/* The rows that wait to be handed out. */
struct sql_batch {
    size_t count;
    uint64_t last_row; /* the number of the last row in its statement */
    struct sql_value rows[SQL_BATCH][SQL_WANTED_MAX];
};

struct sql_parser {
    const struct sql_table *table;
    sql_take *take;
    void *context;
    /* Once the columns are known, before any row; or NULL. False with the rule. */
    bool (*declared)(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE]);
    struct sql_schema schema;
    enum sql_place place;
    uint64_t statements, rows; /* begun in these pieces; rows of the last of them */
    bool has_ended;            /* "-- Dump completed" came last */
    bool is_open;              /* something else came last */
    bool is_cut;               /* the broken rule: the dump ends inside a statement */
    char date[16];             /* from that line: 2026-11-01, or "" */
    char database[64];         /* from the dump's head, or "" */
    char rule[SQL_RULE_SIZE];  /* what is wrong; "": nothing */
    struct sql_texts texts;
    struct sql_batch batch;
};

/* Set the broken rule, if none is set. Returns NULL, for `return sql_rows_fail(...)`. */
__attribute__((format(printf, 2, 3))) const char *sql_rows_fail(struct sql_parser *parser,
                                                                const char *format, ...);

/* Hand out the batch. If it was refused: false, with the rule and its row set. */
bool sql_rows_hand_out(struct sql_parser *parser);

/* Read a row from its bracket into the batch. Returns what follows it; NULL if the piece ends
 * inside it or a rule is broken. */
const char *sql_rows_read(struct sql_parser *parser, const char *p, const char *end);
