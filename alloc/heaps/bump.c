/*
 * bump.c - the allocator "bump": one block after the other, and no block comes back.
 *
 * 1. The heap is one region (heap=), its pages touched when it is opened, so that a request is an
 *    addition and a comparison and never a page fault.
 * 2. A release only counts. A trim with no block alive starts the region again.
 * Bound: every byte ever requested, rounded up to 16. Shows the cost of a workload when allocation
 * is almost free. Not for anything that runs long.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "region.h"

enum { OPTION_HEAP, OPTION_TOUCH };
enum { TOUCH_YES, TOUCH_NO };

struct bump {
    struct node_allocator base;
    struct region region;
    size_t used;     /* bytes of the region, from its start */
    size_t used_max; /* the largest before the region was started again */
    size_t gap;      /* bytes between two blocks, for a checker */
    uint64_t live;
};

static const struct node_option options[] = {
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "64M", NULL, 4096, (uint64_t)1 << 46,
                     "bytes of the region; no byte is used twice"},
    [OPTION_TOUCH] = {"touch", NODE_OPTION_CHOICE, "yes", "yes|no", 0, 0,
                      "write to every page beforehand"},
    {.name = NULL},
};

static bool bump_create(struct node_allocator *self, const struct node_option_value *values,
                        struct node_allocator_error *error)
{
    struct bump *bump = (struct bump *)self;
    bump->gap = block_gap();
    return region_open(self, values[OPTION_HEAP].number, 0,
                       values[OPTION_TOUCH].number == TOUCH_YES, error);
}

static void *bump_allocate(struct node_allocator *self, size_t size)
{
    struct bump *bump = (struct bump *)self;
    size_t left = bump->region.bytes - bump->used;
    if (size > left) {
        return NULL;
    }
    size_t bytes = (size + bump->gap + 15) & ~(size_t)15;
    void *block = bump->region.base + bump->used;
    pw_assert(bump->used % 16 == 0 && bump->used <= bump->region.bytes);
    bump->used += bytes < left ? bytes : left;
    bump->live++;
    return block;
}

static void bump_release(struct node_allocator *self, void *block, size_t size)
{
    struct bump *bump = (struct bump *)self;
    pw_assert(bump->live > 0);
    bump->live--;
    block_mark_dead(bump->gap > 0, block, size);
}

static void bump_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct bump *bump = (struct bump *)self;
    (void)tail;
    pw_assert(bump->live >= count);
    if (bump->gap > 0) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
    } else {
        bump->live -= count;
    }
}

static size_t used_max(const struct bump *bump)
{
    return bump->used > bump->used_max ? bump->used : bump->used_max;
}

static void bump_trim(struct node_allocator *self)
{
    struct bump *bump = (struct bump *)self;
    if (bump->live == 0) {
        bump->used_max = used_max(bump);
        bump->used = 0;
        block_mark_live(true, bump->region.base, bump->region.bytes);
    }
}

static void bump_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct bump *bump = (const struct bump *)self;
    out->live_blocks = bump->live;
    out->kept_blocks = 0;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = bump->region.bytes;
    out->heap_bytes_needed = used_max(bump);
}

const struct node_allocator_type bump_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "bump",
    .summary = "one block after the other in one region, never reused: a baseline",
    .flags = NODE_ALLOCATOR_NO_REUSE | NODE_ALLOCATOR_ASKS_RARELY,
    .instance_bytes = sizeof(struct bump),
    .options = options,
    .bytes_per_block = node_allocator_bytes_rounded,
    .create = bump_create,
    .allocate = bump_allocate,
    .release = bump_release,
    .release_chain = bump_release_chain,
    .trim = bump_trim,
    .statistics = bump_statistics,
    .destroy = region_close,
    .region = region_describe,
};
