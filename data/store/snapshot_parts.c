/*
 * snapshot_parts.c - header and checksums for processes that share a snapshot.
 */
#include "snapshot_parts.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

static_assert((int)PART_COUNT == (int)SECTION_ORIGINAL_IDS, "the parts are the first sections");

/* Bytes from the start of a page to the checksums, which follow the blocks: they are smaller than a
 * page of some systems. */
static size_t sums_before(const struct snapshot_parts *parts)
{
    return (size_t)(parts->block_count * GRAPH_BLOCK_BYTES % (uint64_t)sysconf(_SC_PAGESIZE));
}

bool snapshot_parts_read(int fd, const char *path, struct snapshot_parts *parts,
                         struct graph_error *error)
{
    union header_page page;
    const struct header *header = &page.header;
    *parts = (struct snapshot_parts){0};
    if (!snapshot_read_header(fd, path, &page, error)) {
        return false;
    }
    if (!graph_source_is_fresh(&header->source, false)) {
        return graph_fail(error, path, "stale: %.300s has changed since", header->source.path);
    }
    parts->first_node = header->first_node;
    parts->node_limit = header->node_limit;
    parts->edge_count = header->edge_count;
    parts->is_renumbered = header->sections[SECTION_ORIGINAL_IDS].length > 0;
    parts->block_count = header->block_count;
    for (size_t i = 0; i < PART_COUNT; i++) {
        parts->arrays[i].begin = header->sections[i].begin;
        parts->arrays[i].length = header->sections[i].length;
    }
    const size_t before = sums_before(parts);
    char *mapped = mmap(NULL, (size_t)(before + snapshot_sums_length(header)), PROT_READ,
                        MAP_SHARED, fd, (off_t)(snapshot_blocks_length(header) - before));
    if (mapped == MAP_FAILED) {
        return graph_fail(error, path, "cannot be mapped: %s", strerror(errno));
    }
    parts->sums = (const uint64_t *)(const void *)(mapped + before);
    return snapshot_sums_hold(header, parts->sums, path, error);
}

void snapshot_parts_release(struct snapshot_parts *parts)
{
    if (parts->sums != NULL) {
        const size_t before = sums_before(parts);
        munmap((char *)(uintptr_t)parts->sums - before,
               before + (size_t)parts->block_count * sizeof(*parts->sums));
        parts->sums = NULL;
    }
}
