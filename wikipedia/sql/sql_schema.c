/*
 * sql_schema.c - columns, types and their ranges; what a statement is.
 */
#include "sql_schema.h"
#include "base/macros.h"
#include "sql_scan.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool sql_words(const char *text, const char *end, const char *words, const char **rest)
{
    while (*words != '\0') {
        const size_t length = strcspn(words, " ");
        text = sql_skip_space(text, end);
        if ((size_t)(end - text) < length || strncasecmp(text, words, length) != 0 ||
            (text + length < end && is_name_byte(text[length]))) {
            return false;
        }
        text += length;
        words += length + (words[length] == ' ');
    }
    *rest = text;
    return true;
}

/* Read a name, with or without backquotes, after white space; NULL if there is none. Returns what
 * follows it. name: cut to size. */
static const char *name_at(const char *text, const char *end, char *name, size_t size)
{
    text = sql_skip_space(text, end);
    const bool quoted = text < end && (*text == '`' || *text == '"');
    char quote = '\0';
    if (quoted) {
        quote = *text++;
    }
    const char *begin = text;
    while (text < end && (quoted ? *text != quote : is_name_byte(*text))) {
        text++;
    }
    const size_t length = (size_t)(text - begin);
    if (length == 0 || length >= size || (quoted && text == end)) {
        return NULL;
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    return text + quoted;
}

const char *sql_table_name(const char *text, const char *end, char *name, size_t size)
{
    const char *at = name_at(text, end, name, size);
    if (at != NULL && at < end && *at == '.') {
        at = name_at(at + 1, end, name, size);
    }
    return at != NULL ? sql_skip_space(at, end) : end;
}

/* The end of a column's definition: the comma or bracket after it, outside texts and brackets. */
static const char *definition_end(const char *text, const char *end)
{
    unsigned depth = 0;
    char quote = '\0';
    for (; text < end; text++) {
        if (quote != '\0') {
            if (*text == '\\' && quote != '`') {
                text++;
            } else if (*text == quote) {
                quote = '\0';
            }
        } else if (*text == '\'' || *text == '"' || *text == '`') {
            quote = *text;
        } else if (*text == '(') {
            depth++;
        } else if (depth == 0 && (*text == ',' || *text == ')')) {
            return text;
        } else if (*text == ')') {
            depth--;
        }
    }
    return NULL;
}

/* The largest value of a type such as "int(10) unsigned"; 0 if it is not an integer type. */
static uint64_t largest_of_type(const char *text, const char *end)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{"tinyint", 8}, {"smallint", 16}, {"mediumint", 24},
                 {"int", 32},    {"integer", 32},  {"bigint", 64}};
    const char *rest;
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (sql_words(text, end, types[i].name, &rest)) {
            const uint64_t all = UINT64_MAX >> (64 - types[i].bits);
            for (; rest < end; rest++) {
                if (sql_is_space(rest[-1]) || rest[-1] == ')') {
                    const char *after;
                    if (sql_words(rest, end, "unsigned", &after)) {
                        return all;
                    }
                }
            }
            return all / 2;
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

static bool is_key(const char *text, const char *end)
{
    static const char *const words[] = {"primary", "unique",     "key",     "index", "fulltext",
                                        "spatial", "constraint", "foreign", "check"};
    const char *rest;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (sql_words(text, end, words[i], &rest)) {
            return true;
        }
    }
    return false;
}

static int find_column(const struct sql_schema *schema, const char *name)
{
    for (unsigned i = 0; i < schema->column_count; i++) {
        if (strcasecmp(schema->names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static int find_wanted(const struct sql_table *table, const char *name)
{
    for (int i = 0; i < SQL_WANTED_MAX && table->columns[i].name != NULL; i++) {
        if (strcasecmp(table->columns[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Read the columns between the brackets. False with rule set. */
static bool read_columns(struct sql_schema *schema, const struct sql_table *table, const char *at,
                         const char *end, char rule[SQL_RULE_SIZE])
{
    for (bool more = true; more;) {
        const char *stop = definition_end(at, end);
        at = sql_skip_space(at, end);
        if (stop == NULL) {
            return sql_fail(rule, "CREATE TABLE %s does not end", table->name);
        }
        if (!is_key(at, stop)) {
            if (schema->column_count == SQL_COLUMN_MAX) {
                return sql_fail(rule, "table %s has more than 64 columns", table->name);
            }
            const unsigned i = schema->column_count;
            at = name_at(at, stop, schema->names[i], sizeof(schema->names[i]));
            if (at == NULL || find_column(schema, schema->names[i]) >= 0) {
                return sql_fail(rule, "CREATE TABLE %s has a column without a name, or one twice",
                                table->name);
            }
            schema->largest[i] = largest_of_type(at, stop);
            schema->column_count++;
        }
        more = *stop == ',';
        at = stop + 1;
    }
    return true;
}

bool sql_schema_read(struct sql_schema *schema, const struct sql_table *table, const char *text,
                     size_t length, char rule[SQL_RULE_SIZE])
{
    const char *end = text + length;
    char name[64];
    const char *at;
    if (schema->is_known) {
        return sql_fail(rule, "table %s is declared twice", table->name);
    }
    if (!sql_words(text, end, "create table", &at)) {
        return sql_fail(rule, "CREATE TABLE %s cannot be understood", table->name);
    }
    sql_words(at, end, "if not exists", &at);
    at = sql_table_name(at, end, name, sizeof(name));
    if (at == end || *at != '(') {
        return sql_fail(rule, "CREATE TABLE %s cannot be understood", table->name);
    }
    if (strcasecmp(name, table->name) != 0) {
        return sql_fail(rule, "this is a dump of table %s, not of %s", name, table->name);
    }
    if (!read_columns(schema, table, at + 1, end, rule)) {
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
            return sql_fail(rule, "column %s of table %s is no integer", column->name, table->name);
        }
    }
    schema->is_known = true;
    return true;
}

static void add_value(struct sql_layout *layout, const struct sql_schema *schema,
                      const struct sql_table *table, int column)
{
    const int wanted = find_wanted(table, schema->names[column]);
    layout->has_text |= wanted >= 0 && table->columns[wanted].kind == SQL_TEXT;
    layout->wanted[layout->count] = (signed char)wanted;
    layout->largest[layout->count] = schema->largest[column];
    layout->count++;
}

void sql_layout_of_schema(struct sql_layout *layout, const struct sql_schema *schema,
                          const struct sql_table *table)
{
    memset(layout, 0, sizeof(*layout));
    for (unsigned i = 0; i < schema->column_count; i++) {
        add_value(layout, schema, table, (int)i);
    }
}

bool sql_layout_of_list(struct sql_layout *layout, const struct sql_schema *schema,
                        const struct sql_table *table, const char *text, size_t length,
                        char rule[SQL_RULE_SIZE])
{
    const char *end = text + length;
    bool listed[SQL_COLUMN_MAX] = {false};
    memset(layout, 0, sizeof(*layout));
    for (const char *at = text;;) {
        char name[64];
        at = name_at(at, end, name, sizeof(name));
        const int column = at != NULL ? find_column(schema, name) : -1;
        if (column < 0 || listed[column]) {
            return sql_fail(rule, "INSERT lists a column that table %s does not have, or one twice",
                            table->name);
        }
        listed[column] = true;
        add_value(layout, schema, table, column);
        at = sql_skip_space(at, end);
        if (at == end) {
            break;
        }
        if (*at++ != ',') {
            return sql_fail(rule, "the columns that INSERT lists for %s cannot be understood",
                            table->name);
        }
    }
    for (unsigned i = 0; i < schema->column_count; i++) {
        const int wanted = find_wanted(table, schema->names[i]);
        if (wanted >= 0 && !listed[i] && !table->columns[wanted].has_null) {
            return sql_fail(rule, "INSERT does not list the column %s", schema->names[i]);
        }
    }
    return true;
}

bool sql_is_known(const char *p, const char *end)
{
    static const char *const words[] = {"create", "drop",  "lock",  "unlock", "set",    "alter",
                                        "use",    "start", "begin", "commit", "analyze"};
    const char *rest;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (sql_words(p, end, words[i], &rest)) {
            return true;
        }
    }
    return false;
}

const char *sql_statement_end(const char *p, const char *end)
{
    while (p < end && *p != ';') {
        if (*p == '\'' || *p == '"' || *p == '`') {
            const char quote = *p++;
            while (p < end && *p != quote) {
                p += *p == '\\' && quote != '`' ? 2 : 1;
            }
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            p = memmem(p, (size_t)(end - p), "*/", 2);
            if (p == NULL) {
                return NULL;
            }
            p++;
        }
        p++;
    }
    return p < end ? p : NULL;
}
