/*
 * count.c - the wrapper "count": counts the calls to the allocator inside.
 *
 * Counts the requests that gave a block, and the releases. It has no front. So a list pays two
 * calls per node even if the allocator inside takes no call: for counts, not for times.
 */
#include "alloc/allocators.h"

struct count {
    struct node_allocator base;
    uint64_t requests; /* that gave a block */
    uint64_t releases;
};

static void *count_allocate(struct node_allocator *self, size_t size)
{
    struct count *count = (struct count *)self;
    void *block = node_allocator_allocate(self->inner, size);
    count->requests += block != NULL;
    return block;
}

static void count_release(struct node_allocator *self, void *block, size_t size)
{
    ((struct count *)self)->releases++;
    node_allocator_release(self->inner, block, size);
}

static void count_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                size_t size)
{
    ((struct count *)self)->releases += count;
    node_allocator_release_chain(self->inner, head, tail, count, size);
}

static void count_statistics(const struct node_allocator *self,
                             struct node_allocator_statistics *out)
{
    const struct count *count = (const struct count *)self;
    node_allocator_statistics(self->inner, out);
    out->requests = count->requests;
    out->releases = count->releases;
    out->live_blocks = count->requests - count->releases;
}

const struct node_allocator_type count_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "count",
    .summary = "wrapper: count the requests and releases of the allocator inside",
    .flags = NODE_ALLOCATOR_WRAPS,
    .instance_bytes = sizeof(struct count),
    .allocate = count_allocate,
    .release = count_release,
    .release_chain = count_release_chain,
    .statistics = count_statistics,
};
