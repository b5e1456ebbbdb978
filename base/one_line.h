/*
 * one_line.h - a message that quotes what a user typed, or the name of a file, stays one line.
 */
#pragma once

/* Put ? for every control character of a message. Bytes of UTF-8 stay. */
static inline void one_line(char *message)
{
    for (char *at = message; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
        }
    }
}
