/*
 * text_form.h - numbers, times, sizes and lines in the form that people read.
 *
 * Only for reports in text; CSV and JSON have plain numbers. Every function that fills a text
 * returns it. Nothing depends on the locale.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_FORM_SIZE    64
#define TEXT_COLUMNS_MIN  40 /* a report is never made narrower */
#define TEXT_COLUMNS_PLAN 80 /* if the width is not known */

/* The width for a text on this stream: the variable COLUMNS; else the width of the terminal; else
 * 80. */
unsigned text_columns(FILE *out);

/* The columns for lines that a program may read: without a limit if the stream is no terminal,
 * whatever COLUMNS says. */
unsigned text_columns_if_read(FILE *out);

/* Append a unit or blanks. Returns text. */
const char *text_append(char text[TEXT_FORM_SIZE], const char *suffix);

/* "41,908,617" */
const char *text_count(char text[TEXT_FORM_SIZE], uint64_t number);

/* Three digits and a unit: "20.1 us", "2.65 ms", "3.28 s"; from 1,000 seconds on "1,234 s". */
const char *text_duration(char text[TEXT_FORM_SIZE], uint64_t elapsed_ns);

/* "16 bytes", "12.4 MiB" */
const char *text_bytes(char text[TEXT_FORM_SIZE], uint64_t bytes);

/* Three digits and a power of 1000: "999", "33.7 M", "627 k". */
const char *text_short(char text[TEXT_FORM_SIZE], uint64_t number);

/* Write the first character of a text, or %FF, as in a URL, for a byte that is not UTF-8. Returns
 * the number of bytes read from the text; length is not 0. */
size_t text_write_character(FILE *out, const char *text, size_t length);

/* Write a text that stays on its line: hidden characters (utf8.h) are escaped,
 * as \\x0a or \\u202e. */
void text_write(FILE *out, const char *text);
void text_write_part(FILE *out, const char *text, size_t bytes); /* at most that many of it */

/* The columns that the written text takes on a terminal: a wide character takes two, a combining
 * mark none, an escaped one four or six, a byte that is not UTF-8 three. */
size_t text_width(const char *text);

/* The number of bytes at the start of a text that fit in the columns; whole characters. */
size_t text_fitting(const char *text, size_t columns);

/* Write words, beginning in column `column`, and end the line. Lines have at most `columns`
 * columns; further ones are indented by `indent`. Hidden characters are escaped. */
void text_wrap(FILE *out, const char *text, size_t column, size_t indent, size_t columns);
