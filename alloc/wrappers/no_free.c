/*
 * no_free.c - the wrapper "no-free": the allocator inside gives blocks, and gets no block back.
 *
 * 1. A release puts the block on a chain through the blocks themselves instead of handing it on. So
 *    the allocator inside never reuses one and never pays for a release.
 * 2. When it is trimmed or closed, the chain is handed on after all: nothing leaks.
 * Cost of a release: two stores. Bound: every block ever requested, at least 16 bytes each. Shows
 * the cost of releases in a workload that cannot be replayed.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"

/* The content of a dropped block. */
struct dropped {
    struct dropped *next;
    size_t size;
};

struct no_free {
    struct node_allocator base;
    struct dropped *chain;
    uint64_t live;
    uint64_t count; /* blocks on the chain */
    bool watched;
};

/* The size asked of the allocator inside: room for the link. */
static size_t inner_size(size_t size)
{
    return size < sizeof(struct dropped) ? sizeof(struct dropped) : size;
}

static bool no_free_create(struct node_allocator *self, const struct node_option_value *values,
                           struct node_allocator_error *error)
{
    (void)values;
    (void)error;
    ((struct no_free *)self)->watched = blocks_are_watched();
    return true;
}

static void *no_free_allocate(struct node_allocator *self, size_t size)
{
    struct no_free *no_free = (struct no_free *)self;
    void *block = node_allocator_allocate(self->inner, inner_size(size));
    no_free->live += block != NULL;
    return block;
}

static void no_free_release(struct node_allocator *self, void *block, size_t size)
{
    struct no_free *no_free = (struct no_free *)self;
    struct dropped *dropped = block;
    dropped->next = no_free->chain;
    dropped->size = inner_size(size);
    no_free->chain = dropped;
    pw_assert(no_free->live > 0);
    no_free->live--;
    no_free->count++;
    block_mark_dead(no_free->watched, dropped, inner_size(size));
}

static void hand_inwards(struct node_allocator *self)
{
    struct no_free *no_free = (struct no_free *)self;
    while (no_free->chain != NULL) {
        struct dropped *dropped = no_free->chain;
        block_mark_own(true, dropped, sizeof(*dropped));
        size_t size = dropped->size;
        no_free->chain = dropped->next;
        block_mark_live(true, dropped, size);
        node_allocator_release(self->inner, dropped, size);
        no_free->count--;
    }
    pw_assert(no_free->count == 0);
}

static void no_free_trim(struct node_allocator *self)
{
    hand_inwards(self);
    node_allocator_trim(self->inner);
}

static void no_free_statistics(const struct node_allocator *self,
                               struct node_allocator_statistics *out)
{
    const struct no_free *no_free = (const struct no_free *)self;
    node_allocator_statistics(self->inner, out);
    out->live_blocks = no_free->live;
    out->kept_blocks = no_free->count;
}

static double no_free_bytes_per_block(const struct node_allocator *self, size_t size)
{
    return node_allocator_bytes_per_block(self->inner, inner_size(size));
}

const struct node_allocator_type no_free_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "no-free",
    .summary = "wrapper: drop the releases, hand them on only when closed; a baseline",
    .flags = NODE_ALLOCATOR_WRAPS | NODE_ALLOCATOR_NO_REUSE,
    .instance_bytes = sizeof(struct no_free),
    .bytes_per_block = no_free_bytes_per_block,
    .create = no_free_create,
    .allocate = no_free_allocate,
    .release = no_free_release,
    .trim = no_free_trim,
    .statistics = no_free_statistics,
    .destroy = hand_inwards,
};
