/*
 * snapshot_sums.h - the checksums of arrays in a snapshot, and of the blocks of the file.
 *
 * XXH3 of 64 bits, by libxxhash: https://github.com/Cyan4973/xxHash
 */
#pragma once

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* The checksum of an array, piece by piece. */
struct snapshot_sum {
    alignas(64) unsigned char state[640];
};

void snapshot_sum_start(struct snapshot_sum *sum);
void snapshot_sum_add(struct snapshot_sum *sum, const void *bytes, size_t length);
uint64_t snapshot_sum_end(const struct snapshot_sum *sum);

/* The length of the checksums of a file whose last array ends there. */
uint64_t snapshot_block_sums_length(uint64_t end);

/* Set the checksums of an array that begins at a place in the file. */
void snapshot_block_sums_set(uint64_t *sums, const void *items, uint64_t length, uint64_t begin);

/* The checksums of the blocks of an array, piece by piece. */
struct snapshot_block_sum {
    struct snapshot_sum sum; /* of the block */
    uint64_t place;          /* of the next byte in the file */
};

/* place: where the array begins. */
void snapshot_block_sum_start(struct snapshot_block_sum *sum, uint64_t place);
/* sums: of all blocks of the file; the checksum of each block that is complete is set. */
void snapshot_block_sum_add(struct snapshot_block_sum *sum, const void *bytes, size_t length,
                            uint64_t *sums);
void snapshot_block_sum_end(const struct snapshot_block_sum *sum, uint64_t *sums);
