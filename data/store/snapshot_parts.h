/*
 * snapshot_parts.h - a snapshot that several processes read or write, each a part of the arrays.
 *
 * This covers only the header and the places of the arrays. A checksum goes over a whole array, so
 * the processes take turns with it: a snapshot_sum may be sent from one to the next as bytes.
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
    unsigned flags; /* GRAPH_SNAPSHOT_... */
    bool has_names, is_renumbered;
    struct snapshot_part_place {
        uint64_t begin, length; /* bytes; begin 0: not there */
        uint64_t checksum;
    } arrays[PART_COUNT], block_sums; /* snapshot_blocks.h; not set by reading */
};

/*
 * Read and check the header of an open file. False with error set when the file is foreign,
 * truncated, corrupt or stale. The arrays' content is the caller's to check.
 */
bool snapshot_parts_read(int fd, const char *path, struct snapshot_parts *parts,
                         struct graph_error *error);

/* Set the places of the arrays and of their blocks' checksums, from the counts that are set. */
void snapshot_parts_place(struct snapshot_parts *parts);

/* Write the header, without a source. False with errno set. */
bool snapshot_parts_write_header(int fd, const struct snapshot_parts *parts);
