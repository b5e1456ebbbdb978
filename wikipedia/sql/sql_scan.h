/*
 * sql_scan.h - the inner loops of reading a dump: white space, the digits of a number, and the end
 * of a quoted text.
 *
 * These read up to 32 bytes past the end they are given: SQL_PADDING zero bytes must follow every
 * text. Eight digits are summed in three multiplications (D. Lemire, "Quickly parsing eight
 * digits", 2018). A text is scanned 32 bytes at a time with SSE2, elsewhere byte by byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define SQL_PADDING 64

static inline bool sql_is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline bool sql_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The first place from text on that is not white space, or end. */
static inline const char *sql_skip_space(const char *text, const char *end)
{
    while (text < end && sql_is_space(*text)) {
        text++;
    }
    return text;
}

/* Read the digits from p on: their value modulo 2^64. Returns how many there are. */
static inline size_t sql_scan_digits(const char *p, uint64_t *value)
{
    size_t count = 0;
    uint64_t sum = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    word ^= UINT64_C(0x3030303030303030);
    const uint64_t low = word & UINT64_C(0x7f7f7f7f7f7f7f7f); /* above 9: no digit */
    const uint64_t others =
        ((low + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
    if (others & 0x80) {
        return 0;
    }
    count = others != 0 ? (size_t)__builtin_ctzll(others) / 8 : 8;
    word <<= 64 - 8 * count; /* leading zeros */
    word = word * 10 + (word >> 8);
    sum = (((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            ((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
           32) &
          UINT32_MAX;
    if (count < 8) {
        *value = sum;
        return count;
    }
#endif
    while (sql_is_digit(p[count])) {
        sum = sum * 10 + (unsigned char)(p[count] - '0');
        count++;
    }
    *value = sum;
    return count;
}

/* The first place from p on that has no digit. */
static inline const char *sql_skip_digits(const char *p)
{
    uint64_t value;
    return p + sql_scan_digits(p, &value);
}

#ifdef __SSE2__
/* The quotes and backslashes among 16 bytes, as bits. */
static inline unsigned sql_text_ends(const char *p)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\'')),
                                                    _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
}
#endif

/* The first quote or backslash from p on; or some place from end to 32 bytes after it. */
static inline const char *sql_scan_text(const char *p, const char *end)
{
#ifdef __SSE2__
    for (; p < end;
         p += 32) { /* most titles take one round; the number of rounds is hard to predict */
        const unsigned found = sql_text_ends(p) | sql_text_ends(p + 16) << 16;
        if (found != 0) {
            return p + __builtin_ctz(found);
        }
    }
#else
    while (p < end && *p != '\'' && *p != '\\') {
        p++;
    }
#endif
    return p;
}
