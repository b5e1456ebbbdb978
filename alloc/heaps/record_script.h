/*
 * record_script.h - the file that "record" writes and "replay" reads.
 *
 * A header, then words of 32 bits: the kind in the top three bits, an argument in the low 29.
 *   ALLOCATE offset    a request of the current size was answered with this offset
 *   RELEASE  offset    the block there came back
 *   SIZE     bytes     the current size is this, plus the last SIZE_HIGH times 2^29
 *   SIZE_HIGH bits
 *   CHAIN    offset    a chain came back, head there; the next two words are its length, low first
 * Offsets count granules (4 bytes, or 16 above 2 GiB) from the start of the region.
 * A search costs one word per push and one per pop. Words are in the byte order of the machine
 * that wrote them; the magic number shows if it was another.
 */
#pragma once

#include <stdint.h>

#define SCRIPT_MAGIC      UINT64_C(0x54504952435341) /* changes when read in the other byte order */
#define SCRIPT_VERSION    3
#define SCRIPT_CHUNK      1024 /* words that are written together */
#define SCRIPT_KIND_SHIFT 29
#define SCRIPT_ARGUMENT   (((uint32_t)1 << SCRIPT_KIND_SHIFT) - 1)

enum script_kind {
    SCRIPT_ALLOCATE,
    SCRIPT_RELEASE,
    SCRIPT_SIZE,
    SCRIPT_SIZE_HIGH,
    SCRIPT_CHAIN,
};

struct script_header {
    uint64_t magic;
    uint32_t version;
    uint32_t granule;    /* bytes */
    uint64_t heap_bytes; /* of the region a replay needs */
    uint64_t operations; /* requests, releases and chains */
    uint64_t requests;
    uint64_t words;      /* after this header */
    uint64_t incomplete; /* 1 until closed properly; above: cannot be replayed */
    uint64_t checksum;   /* of all words and of the members above; see script_checksum.h */
};
