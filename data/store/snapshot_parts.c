/*
 * snapshot_parts.c - the header for processes that share a snapshot.
 */
#include "snapshot_parts.h"
#include "snapshot_layout.h"

/* The sections of the parts. */
static const enum section_kind kinds[PART_COUNT] = {SECTION_OFFSETS, SECTION_NEIGHBOURS,
                                                    SECTION_IN_OFFSETS, SECTION_IN_NEIGHBOURS};

/* The bytes of the arrays. */
static void set_lengths(struct snapshot_parts *parts)
{
    const uint64_t offsets = ((uint64_t)parts->node_limit + 1) * sizeof(uint64_t);
    const uint64_t neighbours = parts->edge_count * sizeof(uint32_t);
    for (size_t i = 0; i < PART_COUNT; i++) {
        parts->arrays[i].length = i % 2 == 0 ? offsets : neighbours;
    }
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
    parts->flags = header->flags;
    parts->has_names = header->names_count > 0;
    parts->is_renumbered = header->sections[SECTION_ORIGINAL_IDS].begin > 0;
    bool holds = header->first_node <= 1 && header->first_node <= header->node_limit &&
                 header->node_limit < UINT32_MAX &&
                 header->edge_count <= UINT64_MAX / sizeof(uint32_t);
    set_lengths(parts);
    for (size_t i = 0; i < PART_COUNT; i++) {
        const struct section *section = &header->sections[kinds[i]];
        const bool may_miss = i >= PART_IN_OFFSETS || parts->arrays[i].length == 0;
        holds = holds && section->begin <= header->file_size &&
                section->length <= header->file_size - section->begin &&
                (section->begin > 0 ? section->length == parts->arrays[i].length : may_miss);
        parts->arrays[i].begin = section->begin;
        parts->arrays[i].checksum = section->checksum;
    }
    return holds || graph_fail(error, path, "%s", SNAPSHOT_ARRAYS_WRONG);
}

void snapshot_parts_place(struct snapshot_parts *parts)
{
    uint64_t end = HEADER_SIZE;
    set_lengths(parts);
    for (size_t i = 0; i < PART_COUNT; i++) {
        parts->arrays[i].begin = 0;
        if (parts->arrays[i].length > 0) {
            parts->arrays[i].begin = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            end = parts->arrays[i].begin + parts->arrays[i].length;
        }
    }
    parts->block_sums.length = snapshot_block_sums_length(end);
    parts->block_sums.begin = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool snapshot_parts_write_header(int fd, const struct snapshot_parts *parts)
{
    union header_page page;
    struct header *header = &page.header;
    snapshot_start_header(&page);
    header->first_node = parts->first_node;
    header->node_limit = parts->node_limit;
    header->edge_count = parts->edge_count;
    header->flags = parts->flags;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts->arrays[i].begin > 0) {
            *snapshot_section_of(header, kinds[i]) = (struct section){
                parts->arrays[i].begin, parts->arrays[i].length, parts->arrays[i].checksum};
        }
    }
    *snapshot_section_of(header, SECTION_BLOCK_SUMS) = (struct section){
        parts->block_sums.begin, parts->block_sums.length, parts->block_sums.checksum};
    header->file_size = parts->block_sums.begin + parts->block_sums.length;
    return snapshot_write_header(fd, &page);
}
