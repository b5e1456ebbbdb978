/*
 * one_line.h - keeps a message on one line even if it quotes a user's text or the name of a file.
 */
#pragma once

/* Replace every control character of a message by ?. Bytes of UTF-8 stay. */
static inline void one_line(char *message)
{
    for (char *at = message; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) {
            *at = '?';
        }
    }
}
