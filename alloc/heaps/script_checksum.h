/*
 * script_checksum.h - the checksum of a script: 64 bits, word by word.
 *
 * Each word is mixed into the hash of the words before it. A step is one-to-one in both, so that
 * scripts that differ in one word differ in their hash. The checksum is the hash of the header
 * after the hash of the words was put in the checksum's place.
 * Cost: some 2 ns per word. XXH3 costs a tenth, and is one more thing to install.
 */
#pragma once

#include "base/splitmix.h"
#include "record_script.h"
#include <stddef.h>
#include <string.h>

/* The hash of the earlier words (0 at the first) and of these. */
static inline uint64_t script_hash_words(uint64_t hash, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = splitmix_mix(hash + words[i] + 1);
    }
    return hash;
}

static inline uint64_t script_checksum(uint64_t hash, const struct script_header *header)
{
    struct script_header hashed = *header;
    uint32_t words[sizeof(hashed) / sizeof(uint32_t)];
    hashed.checksum = hash;
    memcpy(words, &hashed, sizeof(words));
    return script_hash_words(0, words, sizeof(words) / sizeof(*words));
}
