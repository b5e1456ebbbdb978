/*
 * region.c - takes and gives back the one region of an allocator.
 */
#include "region.h"
#include "alloc/block_marks.h"
#include "alloc/refuse.h"
#include "base/pw_assert.h"

#define TOUCH_STEP 4096 /* no system's pages are smaller */

bool region_open(struct node_allocator *self, uint64_t bytes, size_t offset, bool touch,
                 struct node_allocator_error *error)
{
    struct region *region = &((struct allocator_in_region *)self)->region;
    if (bytes <= SIZE_MAX - 32) {
        region->block = self->source->allocate((size_t)bytes + 32);
    }
    if (region->block == NULL) {
        return refuse(error, "%s: out of memory for a heap of %llu bytes", self->type->name,
                      (unsigned long long)bytes);
    }
    uintptr_t start = ((uintptr_t)region->block + 15) & ~(uintptr_t)15;
    region->base = (unsigned char *)start + offset;
    region->bytes = (size_t)bytes;
    pw_assert(((uintptr_t)region->base & 15) == offset);
    for (size_t i = 0; touch && i < bytes; i += TOUCH_STEP) {
        ((volatile unsigned char *)region->base)[i] = 0;
    }
    return true;
}

bool region_describe(const struct node_allocator *self, void **base, size_t *bytes)
{
    const struct region *region = &((const struct allocator_in_region *)self)->region;
    pw_assert(region->block != NULL);
    *base = region->base;
    *bytes = region->bytes;
    return true;
}

void region_close(struct node_allocator *self)
{
    struct region *region = &((struct allocator_in_region *)self)->region;
    if (region->block != NULL) {
        block_mark_live(true, region->base, region->bytes); /* the next owner may touch all of it */
        self->source->release(region->block);
        region->block = NULL;
    }
}
