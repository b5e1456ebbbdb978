/*
 * slab_fixture.h - a slab on a source that records what it is asked for, and refuses on request.
 */
#pragma once

#include "counted_source.h"
#include <stdbool.h>
#include <string.h>

static struct node_heap heap;

/* What was asked of the source since open_slab, and what it refuses. */
static struct {
    size_t limit; /* larger requests are refused */
    bool every_second;
    size_t requests;
    size_t refused;
    size_t last; /* bytes */
    size_t last_refused;
    size_t largest;
} asked;

static void *recording_allocate(size_t size)
{
    asked.requests++;
    asked.last = size;
    asked.largest = size > asked.largest ? size : asked.largest;
    if (size > asked.limit || (asked.every_second && asked.requests % 2 == 0)) {
        asked.refused++;
        asked.last_refused = size;
        return NULL;
    }
    return source_allocate(size);
}

static void open_slab(const char *specification)
{
    static const struct memory_source recording_source = {recording_allocate, source_release};
    struct node_allocator_error error;
    memset(&asked, 0, sizeof(asked));
    asked.limit = SIZE_MAX;
    ck_assert_msg(node_heap_open(&heap, specification, &recording_source, &error), "%s",
                  error.message);
}

static struct node_allocator_statistics statistics_now(void)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    return statistics;
}

static uint64_t held_bytes(void)
{
    return statistics_now().held_bytes;
}
