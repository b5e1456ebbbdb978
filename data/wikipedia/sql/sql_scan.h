/*
 * sql_scan.h - white space, and what a dump spends its time in: the digits of a number, where the
 * numbers of a row end, and the end of a quoted text.
 *
 * These read up to 32 bytes behind what they are asked for: every text has SQL_PADDING zero bytes
 * behind its end. Eight digits are summed in three multiplications (D. Lemire, "Quickly parsing
 * eight digits", 2018). All separators of a short row are found at once, so that no number waits
 * for the one before it to end. With SSE2 16 bytes are looked at at a time, elsewhere eight, or in
 * a text one.
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

/* The first place from text on that is not white space, or end. */
static inline const char *sql_skip_space(const char *text, const char *end)
{
    while (text < end && sql_is_space(*text)) {
        text++;
    }
    return text;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The top bit of each byte of a word that is no digit; the word is exclusive-ored with '0'. */
static inline uint64_t sql_no_digits(uint64_t word)
{
    const uint64_t low = word & UINT64_C(0x7f7f7f7f7f7f7f7f);
    return ((low + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
}

/* The number that eight bytes begin with, exclusive-ored with '0': its count digits, 1 to 8. */
static inline uint64_t sql_sum_digits(uint64_t word, size_t count)
{
    word <<= 64 - 8 * count; /* leading zeros */
    word = word * 10 + (word >> 8);
    return (((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
             ((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
            32) &
           UINT32_MAX;
}

static inline uint64_t sql_load_digits(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return word ^ UINT64_C(0x3030303030303030);
}
#endif

/* The digits from p on: their value modulo 2^64 and, as returned, how many there are. */
static inline size_t sql_scan_digits(const char *p, uint64_t *value)
{
    size_t count = 0;
    uint64_t sum = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t word = sql_load_digits(p);
    const uint64_t others = sql_no_digits(word);
    if (others & 0x80) {
        return 0;
    }
    count = others != 0 ? (size_t)__builtin_ctzll(others) / 8 : 8;
    sum = sql_sum_digits(word, count);
    if (count < 8) {
        *value = sum;
        return count;
    }
#endif
    while ((unsigned char)(p[count] - '0') < 10) {
        sum = sum * 10 + (unsigned char)(p[count] - '0');
        count++;
    }
    *value = sum;
    return count;
}

/* Bit i is set where p[i] is no digit, for 32 bytes. */
static inline uint32_t sql_scan_separators(const char *p)
{
    uint32_t bits = 0;
#ifdef __SSE2__
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    for (unsigned i = 0; i < 32; i += 16) {
        const __m128i value =
            _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + i)), zero);
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(value, nine), value);
        bits |= ((uint32_t)_mm_movemask_epi8(digits) ^ 0xffff) << i;
    }
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (unsigned i = 0; i < 32; i += 8) { /* the product gathers the top bits in the top byte */
        const uint64_t others = sql_no_digits(sql_load_digits(p + i)) >> 7;
        bits |= (uint32_t)((others * UINT64_C(0x0102040810204080)) >> 56) << i;
    }
#else
    for (unsigned i = 0; i < 32; i++) {
        bits |= (uint32_t)((unsigned char)(p[i] - '0') >= 10) << i;
    }
#endif
    return bits;
}

/* The number of that many digits at p: 1 to 16. */
static inline uint64_t sql_number_of(const char *p, size_t count)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    if (count <= 8) {
        return sql_sum_digits(sql_load_digits(p), count);
    }
    return sql_sum_digits(sql_load_digits(p), 8) * powers[count - 8] +
           sql_sum_digits(sql_load_digits(p + 8), count - 8);
#else
    uint64_t number = 0;
    (void)count;
    sql_scan_digits(p, &number);
    return number;
#endif
}

/* The first quote or backslash from p on, or some place at end or up to 16 bytes behind it. */
static inline const char *sql_scan_text(const char *p, const char *end, char quote)
{
#ifdef __SSE2__
    const __m128i quotes = _mm_set1_epi8(quote);
    const __m128i backslashes = _mm_set1_epi8('\\');
    for (; p < end; p += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        const int found = _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quotes), _mm_cmpeq_epi8(bytes, backslashes)));
        if (found != 0) {
            return p + __builtin_ctz((unsigned)found);
        }
    }
#else
    while (p < end && *p != quote && *p != '\\') {
        p++;
    }
#endif
    return p;
}
