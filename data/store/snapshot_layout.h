/*
 * snapshot_layout.h - the header of a snapshot, for the files of this folder.
 */
#pragma once

#include "data/graph/graph_error.h"
#include "graph_source.h"
#include <assert.h>
#include <signal.h>

#define HEADER_SIZE     4096
#define ALIGNMENT       ((uint64_t)64 << 10) /* the largest page size in use */
#define VERSION         2                    /* 1 had another checksum */
#define BYTE_ORDER_MARK 0x01020304u

enum section_kind {
    SECTION_OFFSETS,
    SECTION_NEIGHBOURS,
    SECTION_IN_OFFSETS,
    SECTION_IN_NEIGHBOURS,
    SECTION_ORIGINAL_IDS,
    SECTION_NAME_BEGINS,
    SECTION_NAME_TEXT,
    SECTIONS_OF_ALL, /* sections in the first part of the header; of graph->origin: */
    SECTION_FACTS = SECTIONS_OF_ALL,
    SECTION_PAGE_IDS,
    SECTION_ALIAS_BEGINS,
    SECTION_ALIAS_TEXT,
    SECTION_ALIAS_IDS,
    SECTION_NAME_ORDER,
    SECTIONS_OF_ORIGIN, /* after the last section of graph->origin */
    SECTION_NAME_BUCKETS = SECTIONS_OF_ORIGIN,
    SECTION_ID_ORDER,
    SECTION_ARRAYS,                      /* sections that are arrays of a graph */
    SECTION_BLOCK_SUMS = SECTION_ARRAYS, /* last in the file: snapshot_blocks.h */
    SECTION_COUNT
};

struct section {
    uint64_t begin, length; /* bytes; begin 0: not there */
    uint64_t checksum;
};

struct header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t checksum; /* of the header with this field 0 */
    uint64_t file_size;
    uint32_t first_node, node_limit;
    uint64_t edge_count;
    uint32_t flags;
    uint32_t names_first_id, names_count;
    uint32_t reserved;
    struct section sections[SECTIONS_OF_ALL];
    struct graph_source source;
    struct section more[SECTION_COUNT - SECTIONS_OF_ALL]; /* zero in snapshots of older programs */
};

#define SNAPSHOT_MAGIC "PWGRAPH" /* eight bytes with the NUL */

union header_page {
    struct header header;
    char bytes[HEADER_SIZE]; /* what is not named is zero */
};

static_assert(sizeof(struct header) <= HEADER_SIZE, "the header fits its page");

/* The error of arrays that a good header contradicts, or of a bad one in a snapshot without
 * checksums of blocks. */
#define SNAPSHOT_ARRAYS_WRONG "corrupt: the snapshot's arrays do not match its header"

/* Read the header, and check that the file has the length it records. On failure the page is
 * zeroed. */
bool snapshot_read_header(int fd, const char *path, union header_page *page,
                          struct graph_error *error);

/* A section of a header, to be set. In the header the checksums of blocks are before the younger
 * sections. */
static inline struct section *snapshot_section_of(struct header *header, size_t kind)
{
    const size_t place = kind == SECTION_BLOCK_SUMS     ? SECTION_NAME_BUCKETS
                         : kind >= SECTION_NAME_BUCKETS ? kind + 1
                                                        : kind;
    return place < SECTIONS_OF_ALL ? &header->sections[place]
                                   : &header->more[place - SECTIONS_OF_ALL];
}

/* A section of a header. */
static inline const struct section *snapshot_section(const struct header *header, size_t kind)
{
    return snapshot_section_of((struct header *)(uintptr_t)header, kind);
}

/* Zero a header except for the fields that are the same in every snapshot. */
void snapshot_start_header(union header_page *page);

/* Give the header its checksum and write it. False with errno set. */
bool snapshot_write_header(int fd, union header_page *page);

/* Write bytes at an offset; cancel: give up when it is not zero, or NULL. False with errno set. */
bool snapshot_write_at(int fd, const void *bytes, uint64_t length, uint64_t offset,
                       const volatile sig_atomic_t *cancel);
