/*
 * dot_text.h - names inside the quoted strings of DOT, the language of Graphviz.
 *
 * In "..." a quotation mark ends the string, a backslash starts an escape such as \N (the name of
 * the node), and & an entity of HTML. Nothing else has a meaning there: <b> is text, and only a
 * label without quotation marks is HTML. Source: graphviz.org/doc/info/lang.html, escString.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

/* What to write for a character in a string; NULL: the character itself. */
static inline const char *dot_escape(uint32_t code)
{
    return code == '"'    ? "\\\""
           : code == '\\' ? "\\\\"
           : code == '&'  ? "&amp;"
           : code == '\n' ? "\\n"
           : code < 0x20  ? " "
                          : NULL;
}

/* Write a name as the inside of a string; a byte that is not UTF-8 is %FF, as in a URL. */
void dot_write(FILE *out, const char *name);
