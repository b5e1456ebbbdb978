/*
 * snapshot_damage.c - looks at all blocks of a snapshot; see snapshot_damage.h.
 */
#include "snapshot_damage.h"
#include "data/graph/graph_blocks.h"
#include "snapshot_blocks.h"
#include "snapshot_check.h"
#include <xxhash.h>

#define NO_BLOCK UINT64_MAX

/* The first block of a section that has not its checksum; NO_BLOCK: none. */
static uint64_t bad_block_of(const struct section *section, const char *base, const uint64_t *sums)
{
    for (uint64_t at = 0; at < section->length; at += GRAPH_BLOCK_BYTES) {
        const uint64_t left = section->length - at, place = section->begin + at;
        const size_t length = (size_t)(left < GRAPH_BLOCK_BYTES ? left : GRAPH_BLOCK_BYTES);
        if (XXH3_64bits(base + place, length) != sums[place / GRAPH_BLOCK_BYTES]) {
            return place / GRAPH_BLOCK_BYTES;
        }
    }
    return NO_BLOCK;
}

/* Find the first block of some kinds, a bit each, that has not its checksum; NO_BLOCK: none. False
 * with error set if the checksums are damaged themselves. */
static bool find_bad_block(const struct header *header, unsigned kinds, const char *base,
                           const char *path, uint64_t *first, struct graph_error *error)
{
    const struct section *listed = snapshot_section(header, SECTION_BLOCK_SUMS);
    const uint64_t *sums = (const uint64_t *)(const void *)(base + listed->begin);
    *first = NO_BLOCK;
    if (!snapshot_has_block_sums(header)) {
        return true;
    }
    if (XXH3_64bits(sums, listed->length) != listed->checksum) {
        return graph_fail(error, path, "corrupt: the checksums of its blocks are damaged");
    }
    for (size_t i = 0; i < SECTION_ARRAYS; i++) {
        if (kinds >> i & 1) {
            const uint64_t bad = bad_block_of(snapshot_section(header, i), base, sums);
            *first = bad < *first ? bad : *first;
        }
    }
    return true;
}

bool snapshot_name_damage(const struct header *header, unsigned kinds, const char *base,
                          const char *path, struct graph_error *error)
{
    uint64_t bad;
    if (!find_bad_block(header, kinds, base, path, &bad, error)) {
        return false;
    }
    return bad != NO_BLOCK ? graph_block_fail(error, path, bad, GRAPH_BLOCK_WRONG)
                           : graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
}

/* Where the section that has a place ends; or, if there is none, where the next one begins, or the
 * file ends. */
static uint64_t end_at(const struct header *header, uint64_t place, bool *is_padding)
{
    uint64_t next = header->file_size;
    *is_padding = false;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct section *section = snapshot_section(header, i);
        if (place >= section->begin && place - section->begin < section->length) {
            return section->begin + section->length;
        }
        next = section->begin > place && section->begin < next ? section->begin : next;
    }
    *is_padding = true;
    return next;
}

/* True if the header has nothing that is not known here. */
static bool is_known(const union header_page *page)
{
    bool known = true;
    for (size_t i = sizeof(page->header); i < sizeof(page->bytes); i++) {
        known &= page->bytes[i] == 0;
    }
    return known;
}

/* The first block with a byte between the sections that is not zero; NO_BLOCK: none. */
static uint64_t bad_padding(const struct header *header, const char *base)
{
    bool is_padding;
    for (uint64_t at = HEADER_SIZE, end; at < header->file_size; at = end) {
        end = end_at(header, at, &is_padding);
        for (uint64_t i = at; is_padding && i < end; i++) {
            if (base[i] != 0) {
                return i / GRAPH_BLOCK_BYTES;
            }
        }
    }
    return NO_BLOCK;
}

bool snapshot_is_whole(const union header_page *page, const char *base, const char *path,
                       struct graph_error *error)
{
    const struct header *header = &page->header;
    const uint64_t padding = is_known(page) ? bad_padding(header, base) : NO_BLOCK;
    uint64_t bad;
    if (!find_bad_block(header, SNAPSHOT_ALL, base, path, &bad, error)) {
        return false;
    }
    if (padding < bad) {
        return graph_block_fail(error, path, padding,
                                "has bytes between the arrays that are not zero");
    }
    return bad == NO_BLOCK || graph_block_fail(error, path, bad, GRAPH_BLOCK_WRONG);
}
