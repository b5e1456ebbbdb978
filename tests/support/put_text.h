/*
 * put_text.h - builds the text of a large file; fprintf takes some 20 times as long.
 */
#pragma once

#include <stdint.h>

/* Append text at `at`, without its NUL; returns the place after it. */
static inline char *put_text(char *at, const char *text)
{
    while (*text != '\0') {
        *at++ = *text++;
    }
    return at;
}

static inline char *put_number(char *at, uint32_t number)
{
    char digits[12] = "", *first = digits + sizeof(digits) - 1;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return put_text(at, first);
}
