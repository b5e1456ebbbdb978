/*
 * snapshot_parts.h - a snapshot that several processes read, each a part of the arrays.
 *
 * This covers the header, the places of the arrays and the checksums of blocks. Each process reads
 * blocks of the file, and compares their checksums (snapshot_sums.h).
 */
#pragma once

#include "data/graph/graph_error.h"
#include "snapshot_sums.h"

enum snapshot_part {
    PART_OFFSETS,    /* uint64_t, node_limit + 1 */
    PART_NEIGHBOURS, /* uint32_t, edge_count */
    PART_IN_OFFSETS,
    PART_IN_NEIGHBOURS,
    PART_COUNT
};

struct snapshot_parts {
    uint32_t first_node, node_limit;
    uint64_t edge_count;
    bool is_renumbered;
    struct snapshot_part_place {
        uint64_t begin, length; /* bytes; begin 0: not there */
    } arrays[PART_COUNT];
    uint64_t block_count;
    const uint64_t *sums; /* of the blocks; mapped by reading */
};

/*
 * Read and check the header of an open file, and map the checksums of its blocks. False with error
 * set when the file is foreign, truncated, corrupt or stale. The arrays' blocks and their content
 * are the caller's to check.
 */
bool snapshot_parts_read(int fd, const char *path, struct snapshot_parts *parts,
                         struct graph_error *error);

/* Unmap the checksums that were read. */
void snapshot_parts_release(struct snapshot_parts *parts);
