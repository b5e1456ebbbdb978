/*
 * checksum.c - four lanes, so that the multiplications overlap.
 */
#include "checksum.h"

#include <string.h>

#define PRIME 0x9e3779b97f4a7c15u

static inline uint64_t step(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * PRIME;
    return lane << 29 | lane >> 35;
}

void checksum_init(struct checksum *sum)
{
    for (uint64_t i = 0; i < 4; i++) {
        sum->lanes[i] = i + 1;
    }
    sum->length = 0;
}

void checksum_add(struct checksum *sum, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t a = sum->lanes[0], b = sum->lanes[1], c = sum->lanes[2], d = sum->lanes[3];
    uint64_t words[4];
    sum->length += length;
    while (length > 0) {
        size_t now = length < sizeof(words) ? length : sizeof(words);
        if (now < sizeof(words)) {
            memset(words, 0, sizeof(words));
        }
        memcpy(words, at, now);
        a = step(a, words[0]);
        b = step(b, words[1]);
        c = step(c, words[2]);
        d = step(d, words[3]);
        at += now;
        length -= now;
    }
    sum->lanes[0] = a;
    sum->lanes[1] = b;
    sum->lanes[2] = c;
    sum->lanes[3] = d;
}

uint64_t checksum_end(const struct checksum *sum)
{
    uint64_t value = sum->length;
    for (size_t i = 0; i < 4; i++) {
        value = step(value, sum->lanes[i]);
    }
    value = (value ^ value >> 32) * PRIME;
    return value ^ value >> 32;
}

uint64_t checksum_of(const void *bytes, size_t length)
{
    struct checksum sum;
    checksum_init(&sum);
    checksum_add(&sum, bytes, length);
    return checksum_end(&sum);
}
