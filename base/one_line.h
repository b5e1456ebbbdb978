/*
 * one_line.h - keeps a message on one line even if it quotes a user's text or the name of a file.
 */
#pragma once

#include "utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Replace every character of a message that a terminal obeys instead of showing it (utf8_is_hidden)
 * by ?. All other bytes stay, even if they are not UTF-8. */
static inline void one_line(char *message)
{
    char *end = message;
    uint32_t code;
    for (size_t bytes; *message != '\0'; message += bytes) {
        bytes = utf8_decode(message, SIZE_MAX, &code); /* stops at the end */
        if (bytes > 0 && utf8_is_hidden(code)) {
            *end++ = '?';
        } else {
            bytes = bytes > 0 ? bytes : 1;
            memmove(end, message, bytes);
            end += bytes;
        }
    }
    *end = '\0';
}

/* Write a message of one line; what does not fit is cut. */
static inline __attribute__((format(printf, 3, 0))) void
one_line_write(char *message, size_t size, const char *format, va_list arguments)
{
    vsnprintf(message, size, format, arguments);
    one_line(message);
}
