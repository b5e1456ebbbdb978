/*
 * wide.h - products of two 64-bit numbers, which have 128 bits.
 *
 * In portable C, and where the compiler has a type of 128 bits, as on every 64-bit processor, in a
 * few instructions: a generated graph takes a product for every edge.
 */
#pragma once

#include <stdint.h>

struct wide {
    uint64_t high, low;
};

/* The product, in four products of halves. */
static inline struct wide wide_product_of_halves(uint64_t a, uint64_t b)
{
    const uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
    const uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
    const uint64_t low = a_low * b_low;
    const uint64_t cross = a_high * b_low + (low >> 32); /* below 2^64 */
    const uint64_t middle = a_low * b_high + (cross & UINT32_MAX);
    return (struct wide){a_high * b_high + (cross >> 32) + (middle >> 32),
                         middle << 32 | (low & UINT32_MAX)};
}

/* a * b / divisor by long division in binary; the quotient must fit. */
static inline uint64_t wide_scale_by_bits(uint64_t a, uint64_t b, uint64_t divisor)
{
    struct wide rest = wide_product_of_halves(a, b);
    for (int bit = 0; bit < 64; bit++) {
        const uint64_t carry = rest.high >> 63;
        rest.high = rest.high << 1 | rest.low >> 63;
        rest.low <<= 1;
        if (carry != 0 || rest.high >= divisor) {
            rest.high -= divisor;
            rest.low |= 1; /* a bit of the quotient takes the place of one of the product */
        }
    }
    return rest.low;
}

#ifdef __SIZEOF_INT128__

/* The high 64 bits of a * b. */
static inline uint64_t wide_high(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 uint128;
    return (uint64_t)((uint128)a * b >> 64);
}

/* a * b / divisor, rounded down; the quotient must fit. */
static inline uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t divisor)
{
    __extension__ typedef unsigned __int128 uint128;
    return (uint64_t)((uint128)a * b / divisor);
}

#else

static inline uint64_t wide_high(uint64_t a, uint64_t b)
{
    return wide_product_of_halves(a, b).high;
}

static inline uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t divisor)
{
    return wide_scale_by_bits(a, b, divisor);
}

#endif
