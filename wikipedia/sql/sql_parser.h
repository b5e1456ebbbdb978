/*
 * sql_parser.h - the statements of one table's dump, a piece of text at a time.
 *
 * 1. CREATE TABLE says which column is where and what its type holds. An INSERT that names columns
 *    names all of them, in that order.
 * 2. Rows are handed out in batches of the wanted columns, so that the user can fetch ahead. Rows
 *    of numbers that differ only in the last one, such as the links of a page, may be handed out as
 *    runs.
 * 3. A piece may end anywhere: an incomplete rest is left over, and comes again with the next.
 * Read is what mysqldump, mariadb-dump and phpMyAdmin write: a column or a key per line; a
 * semicolon at the end of a line after each statement; texts in ' with backslash escapes and
 * doubled quotes, _binary '...' and 0x... A number is an integer without a sign, any other one a
 * literal.
 * Cost: one pass, some 4 ns per row of a run.
 */
#pragma once

#include "sql_rows.h"

/* Start at the beginning of a dump. */
void sql_parser_init(struct sql_parser *parser, const struct sql_table *table, sql_take *take,
                     void *context);
void sql_parser_free(struct sql_parser *parser);

/* Go on at another place of the dump, with counts of 0. */
void sql_parser_restart(struct sql_parser *parser, enum sql_place place);

/*
 * Read a piece; SQL_PADDING zero bytes must follow it. Returns how many bytes are done with: all
 * complete rows, statements and comments. is_last: nothing follows, so anything left over is an
 * error. On an error it stops, and parser->rule says what is wrong.
 */
size_t sql_parser_read(struct sql_parser *parser, const char *text, size_t length, bool is_last);
