/*
 * snapshot_sums.c - see snapshot_sums.h.
 */
#include "snapshot_sums.h"
#include "base/pw_assert.h"
#include <string.h>
#include <xxhash.h>

uint64_t snapshot_sum(const void *bytes)
{
    return XXH3_64bits(bytes, GRAPH_BLOCK_BYTES);
}

void snapshot_sums_start(uint64_t *sums, uint64_t block_count)
{
    static const char zero[GRAPH_BLOCK_BYTES];
    const uint64_t sum = snapshot_sum(zero);
    pw_assert(block_count > 0);
    sums[0] = 0;
    for (uint64_t block = 1; block < block_count; block++) {
        sums[block] = sum;
    }
}

void snapshot_sums_set(uint64_t *sums, const void *items, uint64_t length, uint64_t begin)
{
    const char *bytes = items;
    const uint64_t first = begin / GRAPH_BLOCK_BYTES, whole = length / GRAPH_BLOCK_BYTES;
    const size_t rest = (size_t)(length % GRAPH_BLOCK_BYTES);
    pw_assert(begin % GRAPH_BLOCK_BYTES == 0);
    for (uint64_t i = 0; i < whole; i++) {
        sums[first + i] = snapshot_sum(bytes + i * GRAPH_BLOCK_BYTES);
    }
    if (rest > 0) {
        char last[GRAPH_BLOCK_BYTES] = {0};
        memcpy(last, bytes + whole * GRAPH_BLOCK_BYTES, rest);
        sums[first + whole] = snapshot_sum(last);
    }
}

bool snapshot_sums_hold(const struct header *header, const uint64_t *sums, const char *path,
                        struct graph_error *error)
{
    return XXH3_64bits(sums, (size_t)snapshot_sums_length(header)) == header->sums_checksum ||
           graph_fail(error, path, "corrupt: the checksums of its blocks are damaged");
}
