/*
 * sql_schema.h - a table's columns by name, from CREATE TABLE; the statements of a dump.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQL_COLUMN_MAX 64
#define SQL_WANTED_MAX 4
#define SQL_RULE_SIZE  200

enum sql_kind { SQL_NULL, SQL_NUMBER, SQL_TEXT, SQL_LITERAL };

struct sql_value {
    union {
        uint64_t number;
        const char *text; /* of a literal, too; no NUL at its end */
    };
    uint32_t length;
    uint32_t kind;
};

/* A wanted column. */
struct sql_column {
    const char *name;
    enum sql_kind kind; /* of its values: SQL_NUMBER or SQL_TEXT; SQL_LITERAL: anything */
    bool is_optional;   /* it may be missing; its values are then NULL */
    bool has_null;      /* values may be NULL */
};

struct sql_table {
    const char *name;
    struct sql_column columns[SQL_WANTED_MAX + 1]; /* ended by a name NULL */
};

/* What CREATE TABLE says. */
struct sql_schema {
    bool is_known;
    char table[64]; /* as it is called in the dump: `mw_page`, if the wiki has a prefix */
    unsigned count;
    char names[SQL_COLUMN_MAX][64];
    uint64_t largest[SQL_COLUMN_MAX];   /* value of the type; 0: no integer */
    signed char wanted[SQL_COLUMN_MAX]; /* which wanted column this one is; -1: none */
    bool has[SQL_WANTED_MAX];           /* which wanted columns exist */
};

/* Set the broken rule; returns false, for `return sql_fail(...)`. */
__attribute__((format(printf, 2, 3))) bool sql_fail(char rule[SQL_RULE_SIZE], const char *format,
                                                    ...);

/*
 * Read a whole CREATE TABLE. False, with rule set, if it cannot be understood or if a needed column
 * is missing.
 */
bool sql_schema_read(struct sql_schema *schema, const struct sql_table *table, const char *text,
                     size_t length, char rule[SQL_RULE_SIZE]);

/* True if the text begins with these bytes. */
bool sql_begins(const char *text, const char *end, const char *bytes);

/* Read a name in backquotes. Returns what follows it; NULL if there is no such name. */
const char *sql_name(const char *text, const char *end, char *name, size_t size);

/* True if a text is the list of all columns, as an INSERT has it: (`a`, `b`). */
bool sql_lists_all(const struct sql_schema *schema, const char *text, const char *end);

/* True if a statement is of another kind that dumps have beside INSERT. */
bool sql_is_known(const char *text, const char *end);

/* The semicolon that ends the statement at text, which is the last on its line; NULL: no semicolon
 * before end. is_last: nothing follows end. */
const char *sql_statement_end(const char *text, const char *end, bool is_last);
