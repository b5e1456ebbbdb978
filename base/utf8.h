/*
 * utf8.h - characters of a text in UTF-8, one by one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of the well-formed character at text, and its code point; 0 if none starts within
 * length bytes. A text that ends in NUL needs no length: nothing after the NUL is read. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code);

/* True if a text is of such characters only. */
bool utf8_is_text(const char *begin, const char *end);

/* What makes such a text of another one, for messages. */
#define UTF8_WAY "iconv -f WINDOWS-1252 -t UTF-8 converts what Excel writes"

/* True for a character that a terminal obeys instead of showing it: both sets of control characters
 * (C0 with DEL, C1), separators of lines, and what changes the direction of the text after it. */
bool utf8_is_hidden(uint32_t code);
