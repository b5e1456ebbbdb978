/*
 * sql_schema.h - a table's columns by name: from CREATE TABLE, and from an INSERT that lists them.
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
    unsigned column_count;
    char names[SQL_COLUMN_MAX][64];
    uint64_t largest[SQL_COLUMN_MAX]; /* value of the type; 0: no integer */
    bool has[SQL_WANTED_MAX];         /* which wanted columns exist */
};

/* For each value of a row: which wanted column it is, and its largest value. */
struct sql_layout {
    unsigned count;
    bool has_text;                      /* one of them must be a text */
    signed char wanted[SQL_COLUMN_MAX]; /* -1: none */
    uint64_t largest[SQL_COLUMN_MAX];
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

/* The layout of the columns in the order of the schema. */
void sql_layout_of_schema(struct sql_layout *layout, const struct sql_schema *schema,
                          const struct sql_table *table);

/* The layout of a list of names: `a`, b. False with rule set. */
bool sql_layout_of_list(struct sql_layout *layout, const struct sql_schema *schema,
                        const struct sql_table *table, const char *text, size_t length,
                        char rule[SQL_RULE_SIZE]);

/* True if a statement begins with these words, in any case; *rest: what follows them. */
bool sql_words(const char *text, const char *end, const char *words, const char **rest);

/* True if a statement is of another kind that dumps have beside INSERT. */
bool sql_is_known(const char *text, const char *end);

/* The semicolon that ends the statement at text; NULL: there is none before end. */
const char *sql_statement_end(const char *text, const char *end);

/* Read the name of a table, after its database's name if there is one, and the white space after
 * it. Returns what follows; end if there is no name. */
const char *sql_table_name(const char *text, const char *end, char *name, size_t size);
