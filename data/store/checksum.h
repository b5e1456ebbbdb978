/*
 * checksum.h - a 64-bit checksum of bytes, at memory speed; not against forgery.
 *
 * Eight-byte words go to four lanes in turn: lane = rotate_left((lane xor word) * P, 29). The lanes
 * and the length are mixed in the end. The same on every little-endian machine.
 */
#ifndef PW_CHECKSUM_H
#define PW_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_STEP 64 /* pieces but the last have a length that this divides */

struct checksum {
    uint64_t lanes[4];
    uint64_t length;
};

void checksum_init(struct checksum *sum);
void checksum_add(struct checksum *sum, const void *bytes, size_t length);
uint64_t checksum_end(const struct checksum *sum);

/* All in one. */
uint64_t checksum_of(const void *bytes, size_t length);

#endif
