/*
 * snapshot_parts.c - header and checksums for processes that share a snapshot.
 */
#define XXH_STATIC_LINKING_ONLY /* the size and the members of a state */
#include "snapshot_parts.h"
#include "snapshot_layout.h"
#include <assert.h>
#include <string.h>
#include <xxhash.h>

static_assert(sizeof(XXH3_state_t) <= sizeof(struct snapshot_sum), "a state fits a snapshot_sum");

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
    return holds ||
           graph_fail(error, path, "corrupt: the snapshot's arrays do not match its header");
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
    header->file_size = HEADER_SIZE;
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts->arrays[i].begin > 0) {
            header->sections[kinds[i]] = (struct section){
                parts->arrays[i].begin, parts->arrays[i].length, parts->arrays[i].checksum};
            header->file_size = parts->arrays[i].begin + parts->arrays[i].length;
        }
    }
    return snapshot_write_header(fd, &page);
}

/* The state in a sum; a pointer in it is set again, because another process may have set it. */
static XXH3_state_t *state_of(struct snapshot_sum *sum)
{
    XXH3_state_t own, *state = (XXH3_state_t *)(void *)sum->state;
    XXH3_64bits_reset(&own);
    state->extSecret = own.extSecret;
    return state;
}

void snapshot_sum_start(struct snapshot_sum *sum)
{
    memset(sum, 0, sizeof(*sum));
    XXH3_64bits_reset((XXH3_state_t *)(void *)sum->state);
}

void snapshot_sum_add(struct snapshot_sum *sum, const void *bytes, size_t length)
{
    XXH3_64bits_update(state_of(sum), bytes, length);
}

uint64_t snapshot_sum_end(const struct snapshot_sum *sum)
{
    struct snapshot_sum copy = *sum;
    return XXH3_64bits_digest(state_of(&copy));
}
