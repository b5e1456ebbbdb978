/*
 * snapshot_sums.h - the checksums of the blocks of a snapshot: of all their bytes, also between two
 * arrays.
 *
 * XXH3 of 64 bits, by libxxhash: https://github.com/Cyan4973/xxHash
 */
#pragma once

#include "snapshot_layout.h"

/* Set the checksums of a file of that many blocks that are zero. The header's is 0. */
void snapshot_sums_start(uint64_t *sums, uint64_t block_count);

/* Set the checksums of the blocks of an array that begins with a block. */
void snapshot_sums_set(uint64_t *sums, const void *items, uint64_t length, uint64_t begin);

/* The checksum of a block. */
uint64_t snapshot_sum(const void *bytes);

/* True if the checksums of a file have their own checksum. Else false with error set. */
bool snapshot_sums_hold(const struct header *header, const uint64_t *sums, const char *path,
                        struct graph_error *error);
