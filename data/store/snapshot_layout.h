/*
 * snapshot_layout.h - the header of a snapshot, for the files of this folder.
 *
 * Each byte has one checksum: the header has its own, the list of checksums of blocks has one in
 * the header, and every other block of the file has one in the list.
 */
#pragma once

#include "data/graph/graph_blocks.h"
#include "data/graph/graph_error.h"
#include "graph_source.h"
#include <assert.h>
#include <signal.h>

#define HEADER_SIZE     GRAPH_BLOCK_BYTES
#define ALIGNMENT       ((uint64_t)64 << 10) /* the largest page size in use */
#define VERSION         3
#define BYTE_ORDER_MARK 0x01020304u

/* The arrays of a graph, in the order of the file. */
enum section_kind {
    SECTION_OFFSETS,
    SECTION_NEIGHBOURS,
    SECTION_IN_OFFSETS,
    SECTION_IN_NEIGHBOURS,
    SECTION_ORIGINAL_IDS,
    SECTION_ID_ORDER,
    SECTION_NAME_BEGINS,
    SECTION_NAME_TEXT,
    SECTION_NAME_BUCKETS,
    SECTION_FACTS, /* of graph->origin, to the end: */
    SECTION_PAGE_IDS,
    SECTION_ALIAS_BEGINS,
    SECTION_ALIAS_TEXT,
    SECTION_ALIAS_IDS,
    SECTION_NAME_ORDER,
    SECTION_COUNT
};

struct section {
    uint64_t begin, length; /* bytes; both 0: not there */
};

struct header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t checksum;    /* of the header with this field 0 */
    uint64_t block_count; /* of header and sections; a checksum of each block follows */
    uint32_t first_node, node_limit;
    uint64_t edge_count;
    uint32_t flags;
    uint32_t names_first_id, names_count;
    uint32_t reserved;
    struct section sections[SECTION_COUNT];
    uint64_t sums_checksum; /* of the checksums of blocks */
    struct graph_source source;
};

#define SNAPSHOT_MAGIC "PWGRAPH" /* eight bytes with the NUL */

union header_page {
    struct header header;
    char bytes[HEADER_SIZE]; /* what is not named is zero */
};

static_assert(sizeof(struct header) <= HEADER_SIZE, "the header fits its page");
static_assert(ALIGNMENT % GRAPH_BLOCK_BYTES == 0, "no block has bytes of two sections");

/* The error of arrays that a good header contradicts. */
#define SNAPSHOT_ARRAYS_WRONG "corrupt: the snapshot's arrays do not match its header"

/*
 * Read the header, and check the length of the file, that the sections lie in it one after the
 * other, and that the lists of the graph have the lengths that its counts require. On failure the
 * page is zeroed, unless the header itself is good.
 */
bool snapshot_read_header(int fd, const char *path, union header_page *page,
                          struct graph_error *error);

/* The bytes of header and sections; where the checksums of blocks begin. */
static inline uint64_t snapshot_blocks_length(const struct header *header)
{
    return header->block_count * GRAPH_BLOCK_BYTES;
}

/* The bytes of the checksums of blocks. */
static inline uint64_t snapshot_sums_length(const struct header *header)
{
    return header->block_count * sizeof(uint64_t);
}

/* The section that has a place in the file; SECTION_COUNT if there is no section. */
size_t snapshot_section_at(const struct header *header, uint64_t place);

/* Zero a header except for the fields that are the same in every snapshot. */
void snapshot_start_header(union header_page *page);

/* Give each section that has a length its place, and set the number of blocks. */
void snapshot_place_sections(struct header *header);

/* Give the header its checksum and write it. False with errno set. */
bool snapshot_write_header(int fd, union header_page *page);

/* Write bytes at an offset; cancel: give up when it is not zero, or NULL. False with errno set. */
bool snapshot_write_at(int fd, const void *bytes, uint64_t length, uint64_t offset,
                       const volatile sig_atomic_t *cancel);
