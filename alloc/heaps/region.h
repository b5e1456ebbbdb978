/*
 * region.h - one piece of memory of a fixed size, for the allocators that live in one.
 */
#pragma once

#include "alloc/node_allocator.h"

struct region {
    void *block;         /* from the source; NULL: closed */
    unsigned char *base; /* aligned to 16 plus the offset asked for */
    size_t bytes;
};

/* The first member of an allocator instance that lives in a region. */
struct allocator_in_region {
    struct node_allocator base;
    struct region region;
};

/*
 * Take a region of bytes from the source. base % 16 will be offset (0 to 15). touch: write to every
 * page, so that no page fault falls into a measurement. False with the error set: out of memory.
 */
bool region_open(struct node_allocator *self, uint64_t bytes, size_t offset, bool touch,
                 struct node_allocator_error *error);

/* For the table of an allocator in a region: its region and its destroy. */
bool region_describe(const struct node_allocator *self, void **base, size_t *bytes);
void region_close(struct node_allocator *self);
