/*
 * null.c - the allocator "null": gives nothing and takes everything.
 *
 * Every request fails and every release is ignored, so that a loop of requests and releases can be
 * timed without them. Nothing can live on it.
 */
#include "alloc/allocators.h"

static void *null_allocate(struct node_allocator *self, size_t size)
{
    (void)self;
    (void)size;
    return NULL;
}

static void null_release(struct node_allocator *self, void *block, size_t size)
{
    (void)self;
    (void)block;
    (void)size;
}

static void null_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    (void)self;
    out->live_blocks = 0;
    out->kept_blocks = 0;
    out->held_bytes = 0;
    out->held_bytes_max = 0;
}

static double null_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    (void)size;
    return 0;
}

const struct node_allocator_type null_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "null",
    .summary = "gives nothing: for timing the loop around an allocator",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_NONE | NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct node_allocator),
    .bytes_per_block = null_bytes_per_block,
    .allocate = null_allocate,
    .release = null_release,
    .statistics = null_statistics,
};
