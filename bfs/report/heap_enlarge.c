/*
 * heap_enlarge.c - chooses the same allocator again, with a region twice as large.
 */
#include "heap_enlarge.h"
#include "alloc/specification.h"
#include "liblist/linked_list_more.h"
#include <stdio.h>

#define HEAP_BYTES_MAX ((uint64_t)1 << 40)

bool heap_enlarge(struct heap_enlarge *state, char *what, size_t what_size)
{
    char before[256];
    struct node_allocator_statistics nodes;
    linked_list_statistics(&nodes);
    snprintf(before, sizeof(before), "%s", linked_list_allocator());
    if (nodes.heap_bytes == NODE_STATISTIC_UNKNOWN || nodes.heap_bytes >= HEAP_BYTES_MAX) {
        return false;
    }
    uint64_t larger = (nodes.heap_bytes + 64) / 64 * 128; /* block reports 8 bytes less */
    if (!node_specification_with_heap(before, larger, state->specification,
                                      sizeof(state->specification))) {
        return false;
    }
    /* The old one is closed first: both may write the same script, and memory may be short. */
    if (!linked_list_set_allocator("malloc")) {
        return false;
    }
    if (!linked_list_set_allocator(state->specification)) {
        linked_list_set_allocator(before);
        return false;
    }
    state->is_recording = node_specification_has(before, NODE_ALLOCATOR_WRITES_RUN);
    snprintf(what, what_size, "a heap of %llu bytes was too small for a search, enlarged to %llu",
             (unsigned long long)nodes.heap_bytes, (unsigned long long)larger);
    return true;
}
