/*
 * sql_parser.c - statements, and what separates rows; see sql_parser.h.
 *
 * Every step either takes a whole item (a comment, a statement, the head of an INSERT, a row) and
 * moves on, or returns NULL where the piece ends inside it.
 */
#include "sql_parser.h"
#include "base/macros.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "sql_rows.h"
#include "sql_scan.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sql_parser_init(struct sql_parser *parser, const struct sql_table *table, sql_take *take,
                     void *context)
{
    /* All but the rows of the batch, which are large and written before they are read. */
    memset(parser, 0, offsetof(struct sql_parser, batch));
    parser->batch.count = parser->batch.last_row = 0;
    parser->table = table;
    parser->take = take;
    parser->context = context;
}

void sql_parser_free(struct sql_parser *parser)
{
    free(parser->texts.bytes);
    parser->texts.bytes = NULL;
}

void sql_parser_restart(struct sql_parser *parser, enum sql_place place)
{
    parser->place = place;
    parser->statements = parser->rows = 0;
    parser->has_ended = parser->is_open = parser->is_cut = false;
    parser->date[0] = parser->rule[0] = '\0';
    parser->texts.used = parser->batch.count = 0;
}

/* Statements ---------------------------------------------------------------------------------- */

/* True if a statement contains the beginning of rows, because its end is damaged. */
static bool holds_insert(const char *p, const char *end)
{
    static const char insert[] = "\nINSERT INTO ";
    return memmem(p, (size_t)(end - p), insert, sizeof(insert) - 1) != NULL;
}

/* True if a comment contains the beginning of rows. No client writes that: damage made the comment
 * begin there or end too late. */
static bool hides_insert(const char *p, const char *end)
{
    static const char insert[] = "INSERT INTO ";
    return memmem(p, (size_t)(end - p), insert, sizeof(insert) - 1) != NULL;
}

/* The place after a comment at p; p if no comment is there. NULL: it does not end here. */
static const char *skip_comment(struct sql_parser *parser, const char *p, const char *end,
                                bool is_last)
{
    static const char completed[] = "-- Dump completed";
    static const char database[] = "Database: ";
    static const char hidden[] = "a comment holds an INSERT: one of its ends is damaged";
    if (sql_begins(p, end, "/*")) {
        const char *stop = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
        if (stop != NULL && hides_insert(p, stop)) {
            return sql_rows_fail(parser, "%s", hidden);
        }
        return stop != NULL ? stop + 2 : NULL;
    }
    if (!sql_begins(p, end, "--")) {
        return p;
    }
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (stop == NULL && !is_last) {
        return NULL;
    }
    stop = stop != NULL ? stop : end;
    if (hides_insert(p, stop)) {
        return sql_rows_fail(parser, "%s", hidden);
    }
    const size_t length = (size_t)(stop - p);
    const char *named = memmem(p, length, database, sizeof(database) - 1);
    if (sql_begins(p, stop, completed)) {
        unsigned year, month, day;
        char line[64];
        snprintf(line, sizeof(line), "%.*s", (int)length, p);
        parser->has_ended = true;
        parser->is_open = false;
        if (sscanf(line, "-- Dump completed on %4u-%2u-%2u", &year, &month, &day) == 3 &&
            month < 13 && day < 32) {
            snprintf(parser->date, sizeof(parser->date), "%04u-%02u-%02u", year % 10000,
                     month % 100, day % 100);
        }
    } else if (named != NULL && parser->database[0] == '\0') {
        named += sizeof(database) - 1;
        size_t used = 0;
        while (named < stop && used + 1 < sizeof(parser->database) &&
               (isalnum((unsigned char)*named) || *named == '_')) {
            parser->database[used++] = *named++;
        }
    }
    return stop;
}

/* What follows the words before the table of an INSERT; NULL: it is another statement. */
static const char *skip_into(const char *p, const char *end)
{
    static const char *const heads[] = {"INSERT INTO ", "INSERT  IGNORE INTO ", "REPLACE INTO "};
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        if (sql_begins(p, end, heads[i])) {
            return p + strlen(heads[i]);
        }
    }
    return NULL;
}

/* Read the head of an INSERT, up to VALUES; at is after INTO. */
static const char *read_insert(struct sql_parser *parser, const char *at, const char *end)
{
    static const char values[] = " VALUES";
    const struct sql_table *table = parser->table;
    const char *stop = memmem(at, (size_t)(end - at), values, sizeof(values) - 1);
    char name[64];
    if (stop == NULL) {
        return NULL;
    }
    parser->statements++;
    parser->rows = 0;
    parser->is_open = true;
    at = sql_name(at, stop, name, sizeof(name));
    if (at == NULL) {
        return sql_rows_fail(parser, "INSERT without the name of a table");
    }
    const char *declared = parser->schema.is_known ? parser->schema.table : table->name;
    if (strcmp(name, declared) != 0) {
        return sql_rows_fail(parser, "rows of table %s in a dump of %s", name, declared);
    }
    if (!parser->schema.is_known) {
        return sql_rows_fail(parser, "rows come before CREATE TABLE %s", table->name);
    }
    if (at < stop && (*at != ' ' || !sql_lists_all(&parser->schema, at + 1, stop))) {
        return sql_rows_fail(parser, "INSERT does not list the columns of table %s in their order",
                             table->name);
    }
    parser->place = SQL_ROW;
    return stop + sizeof(values) - 1;
}

/* Read a statement or comment at p, which is not white space. */
static const char *read_statement(struct sql_parser *parser, const char *p, const char *end,
                                  bool is_last)
{
    const char *rest = skip_comment(parser, p, end, is_last);
    if (rest == NULL || rest > p) {
        return rest;
    }
    if (*p == ';') {
        return p + 1;
    }
    if ((*p == '/' || *p == '-') && end - p < 2 && !is_last) {
        return NULL; /* half of the sign that begins a comment */
    }
    if (!isalpha((unsigned char)*p)) {
        parser->statements++;
        parser->rows = 0;
        return sql_rows_fail(parser, "expected a statement, found \"%c\"",
                             *p > ' ' && *p < 0x7f ? *p : '?');
    }
    rest = skip_into(p, end);
    if (rest != NULL) {
        return read_insert(parser, rest, end);
    }
    const char *stop = sql_statement_end(p, end, is_last);
    if (stop == NULL) {
        return NULL;
    }
    parser->statements++;
    parser->rows = 0;
    parser->is_open = true;
    if (!sql_is_known(p, end) || holds_insert(p, stop)) {
        return sql_rows_fail(parser, sql_is_known(p, end)
                                         ? "it holds an INSERT: its end is damaged"
                                         : "the statement is of no kind that dumps have");
    }
    if (sql_begins(p, end, "CREATE TABLE ") &&
        (!sql_schema_read(&parser->schema, parser->table, p, (size_t)(stop - p), parser->rule) ||
         (parser->declared != NULL &&
          !parser->declared(parser->context, &parser->schema, parser->rule)))) {
        return NULL;
    }
    return stop + 1;
}

/* Read what separates a row from the next, or ends the statement. */
static const char *read_separator(struct sql_parser *parser, const char *p)
{
    if (*p == ',') {
        parser->place = SQL_ROW;
    } else if (*p == ';') {
        parser->place = SQL_STATEMENT;
        return sql_rows_hand_out(parser) ? p + 1 : NULL;
    } else {
        return sql_rows_fail(parser, "expected a comma or a semicolon after the row");
    }
    return p + 1;
}

/* Handle the text left over at the end of a dump. */
static void check_end(struct sql_parser *parser, const char *p, const char *end)
{
    if (parser->rule[0] != '\0') {
        return;
    }
    if (parser->place == SQL_STATEMENT && p < end) {
        parser->statements++;
        parser->rows = 0;
    }
    if (parser->place != SQL_STATEMENT || p < end) {
        parser->rows += parser->place == SQL_ROW;
        parser->is_cut = true;
        sql_rows_fail(parser, "the dump ends inside the statement");
    }
}

size_t sql_parser_read(struct sql_parser *parser, const char *text, size_t length, bool is_last)
{
    const char *p = text;
    const char *end = text + length;
    if (parser->texts.size < length) {
        free(parser->texts.bytes);
        parser->texts.bytes = malloc(length + length / 4 + SQL_PADDING);
        parser->texts.size = parser->texts.bytes != NULL ? length + length / 4 : 0;
        if (parser->texts.bytes == NULL) {
            sql_rows_fail(parser, "out of memory");
            return 0;
        }
    }
    while (parser->rule[0] == '\0') {
        p = sql_skip_space(p, end);
        if (p == end) {
            break;
        }
        const char *next = parser->place == SQL_ROW ? sql_rows_read(parser, p, end)
                           : parser->place == SQL_AFTER_ROW
                               ? read_separator(parser, p)
                               : read_statement(parser, p, end, is_last);
        if (next == NULL) {
            break;
        }
        p = next;
    }
    /* An earlier row in the batch may be wrong, too; it is reported first. */
    char rule[SQL_RULE_SIZE];
    const uint64_t rows = parser->rows;
    memcpy(rule, parser->rule, sizeof(rule));
    parser->rule[0] = '\0';
    if (sql_rows_hand_out(parser) && rule[0] != '\0') {
        parser->rows = rows;
        memcpy(parser->rule, rule, sizeof(rule));
    }
    if (is_last) {
        check_end(parser, p, end);
    }
    one_line(parser->rule);
    return (size_t)(p - text);
}
