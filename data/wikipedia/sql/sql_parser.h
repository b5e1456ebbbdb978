/*
 * sql_parser.h - the statements of one table's dump, a piece of text at a time.
 *
 * 1. CREATE TABLE says which column is where and what its type holds; INSERT may name columns too.
 *    Nothing is known by position.
 * 2. Rows are handed out in batches of the wanted columns, so that their user can fetch ahead. Rows
 *    of numbers that differ in the last one, such as the links of a page, may be handed out as
 *    runs.
 * 3. A piece may end anywhere: what is incomplete is left over, and comes again with what follows.
 * Texts are quoted by ' or ", with backslash escapes and doubled quotes; _binary and 0x... are
 * texts too; a number is an integer without a sign, anything else a literal. Rows may be separated
 * by any white space. Cost: one pass, some 4 ns per row of a run.
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

struct sql_parser;

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

/* Start at the beginning of a dump. */
void sql_parser_init(struct sql_parser *parser, const struct sql_table *table, sql_take *take,
                     void *context);
void sql_parser_free(struct sql_parser *parser);

/* Go on at another place of the dump, with counts of 0. */
void sql_parser_restart(struct sql_parser *parser, const struct sql_state *state);

/*
 * Read a piece, behind which SQL_PADDING bytes are zero. Returns how many bytes are
 * done with: all complete rows, statements and comments. is_last: nothing follows; what is left
 * over is then an error. Stops where parser->rule says what is wrong.
 */
size_t sql_parser_read(struct sql_parser *parser, const char *text, size_t length, bool is_last);

/* Whether two states are the same. */
bool sql_state_equals(const struct sql_state *a, const struct sql_state *b);

/* The state at a place that follows a row or a statement, as its first bytes look. */
void sql_state_guess(struct sql_state *state, const struct sql_schema *schema,
                     const struct sql_table *table, const char *text, size_t length);
