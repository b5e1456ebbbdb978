/*
 * script_checksum.h - the checksum of a script: XXH3 of 64 bits, in chunks.
 *
 * Each chunk of SCRIPT_CHUNK words (the last may be shorter) is hashed with the hash of the earlier
 * chunks as seed. So the recorder, which may end at any word, keeps 8 bytes of state. The checksum
 * is the hash of the header after the hash of the words was put in the checksum's place.
 */
#pragma once

#include "record_script.h"
#include <stddef.h>
#define XXH_INLINE_ALL /* no library needed at run time */
#include <xxhash.h>

/* The hash of the earlier chunks (0 at the first) and of one more. */
static inline uint64_t script_hash_chunk(uint64_t before, const uint32_t *words, size_t count)
{
    return XXH3_64bits_withSeed(words, count * sizeof(*words), before);
}

static inline uint64_t script_checksum(uint64_t hash, const struct script_header *header)
{
    struct script_header hashed = *header;
    hashed.checksum = hash;
    return XXH3_64bits(&hashed, sizeof(hashed));
}
