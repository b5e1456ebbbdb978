/*
 * sql_schema.c - columns, types and their ranges; what a statement is.
 */
#include "sql_schema.h"
#include "base/macros.h"
#include "sql_scan.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool sql_begins(const char *text, const char *end, const char *bytes)
{
    const size_t length = strlen(bytes);
    return (size_t)(end - text) >= length && memcmp(text, bytes, length) == 0;
}

const char *sql_name(const char *text, const char *end, char *name, size_t size)
{
    if (text >= end || *text != '`') {
        return NULL;
    }
    const char *stop = memchr(text + 1, '`', (size_t)(end - text - 1));
    const size_t length = stop != NULL ? (size_t)(stop - text - 1) : 0;
    if (length == 0 || length >= size) {
        return NULL;
    }
    memcpy(name, text + 1, length);
    name[length] = '\0';
    return stop + 1;
}

/* The largest value of a type such as " int(10) unsigned"; 0 if it is not an integer type. */
static uint64_t largest_of_type(const char *text, const char *end)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {
        {" tinyint", 8}, {" smallint", 16}, {" mediumint", 24}, {" int", 32}, {" bigint", 64}};
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (sql_begins(text, end, types[i].name)) {
            const uint64_t all = UINT64_MAX >> (64 - types[i].bits);
            const char *rest = text + strlen(types[i].name);
            if (sql_begins(rest, end, "(")) {
                const char *stop = memchr(rest, ')', (size_t)(end - rest));
                rest = stop != NULL ? stop + 1 : end;
            }
            return end - rest >= 9 && strncasecmp(rest, " unsigned", 9) == 0 ? all : all / 2;
        }
    }
    return 0;
}

bool sql_fail(char rule[SQL_RULE_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rule, SQL_RULE_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

static int find_column(const struct sql_schema *schema, const char *name)
{
    for (unsigned i = 0; i < schema->count; i++) {
        if (strcmp(schema->names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int find_wanted(const struct sql_table *table, const char *name)
{
    for (int i = 0; i < SQL_WANTED_MAX && table->columns[i].name != NULL; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Read a line with a column, from its name on. False with rule set. */
static bool read_column(struct sql_schema *schema, const struct sql_table *table, const char *at,
                        const char *end, char rule[SQL_RULE_SIZE])
{
    const unsigned i = schema->count;
    char name[sizeof(schema->names[i])];
    if (i == SQL_COLUMN_MAX) {
        return sql_fail(rule, "table %s has more than 64 columns", table->name);
    }
    at = sql_name(at, end, name, sizeof(name));
    if (at == NULL || find_column(schema, name) >= 0) {
        return sql_fail(rule, "CREATE TABLE %s has a column without a name, or one twice",
                        table->name);
    }
    const int wanted = find_wanted(table, name);
    memcpy(schema->names[i], name, sizeof(name));
    schema->largest[i] = largest_of_type(at, end);
    schema->wanted[i] = (signed char)wanted;
    schema->count++;
    return true;
}

/* True if a line of CREATE TABLE is whole: what it opens it closes, and outside it has no comma but
 * the one before the next line. */
static bool is_whole(const char *at, const char *end, bool is_last)
{
    unsigned depth = 0;
    char quote = '\0';
    for (; at < end; at++) {
        if (quote != '\0') {
            if (*at == '\\' && quote != '`') {
                at++;
            } else if (*at == quote) {
                quote = '\0';
            }
        } else if (*at == '\'' || *at == '"' || *at == '`') {
            quote = *at;
        } else if (*at == '(') {
            depth++;
        } else if (depth == 0 && (*at == ',' || *at == ')')) {
            return *at == ',' && !is_last && sql_skip_space(at + 1, end) == end;
        } else if (*at == ')') {
            depth--;
        }
    }
    return is_last && depth == 0 && quote == '\0';
}

static bool is_key(const char *at, const char *end)
{
    static const char *const words[] = {"PRIMARY ", "UNIQUE ",     "KEY ",  "FULLTEXT ",
                                        "SPATIAL ", "CONSTRAINT ", "CHECK "};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (sql_begins(at, end, words[i])) {
            return true;
        }
    }
    return false;
}

/* Read the columns and keys, each on a line of its own. False with rule set. */
static bool read_columns(struct sql_schema *schema, const struct sql_table *table, const char *at,
                         const char *end, char rule[SQL_RULE_SIZE])
{
    static const char last[] = "\n)";
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    while (stop != NULL && !sql_begins(stop, end, last)) {
        at = sql_skip_space(stop, end);
        stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) {
            break;
        }
        const bool is_column = sql_begins(at, stop, "`");
        if (!is_whole(at, stop, sql_begins(stop, end, last)) || (!is_column && !is_key(at, stop))) {
            return sql_fail(rule, "CREATE TABLE %s has a line that is neither a column nor a key",
                            table->name);
        }
        if (is_column && !read_column(schema, table, at, stop, rule)) {
            return false;
        }
    }
    return stop != NULL || sql_fail(rule, "CREATE TABLE %s does not end", table->name);
}

/* True for the name of a table, also after the prefix of a wiki's own: mw_page. */
static bool is_table(const char *name, const char *table)
{
    const size_t length = strlen(name), wanted = strlen(table);
    return length >= wanted && strcmp(name + length - wanted, table) == 0 &&
           (length == wanted || (length > wanted + 1 && name[length - wanted - 1] == '_'));
}

bool sql_schema_read(struct sql_schema *schema, const struct sql_table *table, const char *text,
                     size_t length, char rule[SQL_RULE_SIZE])
{
    static const char create[] = "CREATE TABLE ", careful[] = "IF NOT EXISTS ";
    const char *end = text + length, *at = text + sizeof(create) - 1;
    char name[sizeof(schema->table)];
    if (schema->is_known) {
        return sql_fail(rule, "table %s is declared twice", table->name);
    }
    at += sql_begins(at, end, careful) ? sizeof(careful) - 1 : 0;
    at = sql_name(at, end, name, sizeof(name));
    if (at == NULL || !sql_begins(at, end, " (")) {
        return sql_fail(rule, "CREATE TABLE %s cannot be understood", table->name);
    }
    if (!is_table(name, table->name)) {
        return sql_fail(rule, "this is a dump of table %s, not of %s", name, table->name);
    }
    memcpy(schema->table, name, sizeof(name));
    if (!read_columns(schema, table, at, end, rule)) {
        return false;
    }
    for (size_t i = 0; i < SQL_WANTED_MAX && table->columns[i].name != NULL; i++) {
        const struct sql_column *column = &table->columns[i];
        const int found = find_column(schema, column->name);
        schema->has[i] = found >= 0;
        if (found < 0 && !column->is_optional) {
            return sql_fail(rule, "table %s has no column %s", table->name, column->name);
        }
        if (found >= 0 && column->kind == SQL_NUMBER && schema->largest[found] == 0) {
            return sql_fail(rule, "column %s of table %s is not an integer", column->name,
                            table->name);
        }
    }
    schema->is_known = true;
    return true;
}

bool sql_lists_all(const struct sql_schema *schema, const char *text, const char *end)
{
    char name[64];
    for (unsigned i = 0; text != NULL && i < schema->count; i++) {
        const char *before = i == 0 ? "(" : ", ";
        text = sql_begins(text, end, before)
                   ? sql_name(text + strlen(before), end, name, sizeof(name))
                   : NULL;
        if (text == NULL || strcmp(name, schema->names[i]) != 0) {
            return false;
        }
    }
    return text != NULL && end - text == 1 && *text == ')';
}

bool sql_is_known(const char *p, const char *end)
{
    static const char *const kinds[] = {"ALTER TABLE ",
                                        "COMMIT;",
                                        "CREATE DATABASE ",
                                        "CREATE TABLE ",
                                        "DROP TABLE ",
                                        "LOCK TABLES ",
                                        "SET ",
                                        "START TRANSACTION;",
                                        "UNLOCK TABLES;",
                                        "USE ",
                                        "commit;",
                                        "set autocommit=0;"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (sql_begins(p, end, kinds[i])) {
            return true;
        }
    }
    return false;
}

const char *sql_statement_end(const char *p, const char *end, bool is_last)
{
    while ((p = memchr(p, ';', (size_t)(end - p))) != NULL) {
        if (p + 1 < end ? p[1] == '\n' || p[1] == '\r' : is_last) {
            return p;
        }
        p++;
    }
    return NULL;
}
