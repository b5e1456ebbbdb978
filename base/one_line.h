/*
 * one_line.h - keeps a message on one line even if it quotes a user's text or the name of a file.
 */
#pragma once

#include "utf8.h"
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
