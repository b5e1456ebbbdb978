/*
 * quick_fit.c - the wrapper "quick-fit": pools of small blocks in front of a general heap.
 *
 * 1. A request of up to 512 bytes takes from the free list of its size (size_class.h), else the
 *    next block of the newest chunk. A chunk is 4 KiB of the allocator inside.
 * 2. A larger one goes to the allocator inside (first-fit if none is named), so that all blocks
 *    lie in one region and can be recorded.
 * 3. Small blocks have no header and are not merged. When a size has no live block, its chunks go
 *    back at a trim, or when the allocator inside has no room left.
 * Cost: a few instructions inline; 16.2 bytes per 16-byte node. Bound: the most blocks alive of
 * each size. Repeated searches age as with pool.
 * Sources: Weinstock and Wulf, "Quick Fit" (1988); suggested by the article on replay.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include <stdio.h>

#define CHUNK_BYTES ((size_t)4096)

/* The start of a chunk; its blocks begin at the next multiple of 16. */
struct chunk {
    struct chunk *next;
};

#define CHUNK_HEADER ((sizeof(struct chunk) + 15 + 15) & ~(size_t)15) /* at most */

struct quick_class {
    struct node_front front; /* own.free_list is the free list; carve is in the first chunk */
    struct chunk *chunks;    /* the newest first */
    uint64_t blocks;         /* of all chunks, given out or not */
    uint64_t live;           /* kept only while the front is closed */
};

struct quick_fit {
    struct node_allocator base;
    bool watched; /* by Memcheck or AddressSanitizer: the front is closed */
    struct quick_class classes[SIZE_CLASS_COUNT];
    PW_DEBUG_ONLY(uint64_t steps;)
};

static bool quick_fit_create(struct node_allocator *self, const struct node_option_value *values,
                             struct node_allocator_error *error)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    (void)values;
    (void)error;
    quick->watched = blocks_are_watched();
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct node_front *front = &quick->classes[i].front;
        front->block_bytes = size_class_bytes(i) + block_gap();
        front->page_base = (uintptr_t)&front->own; /* one page for all, never done */
        front->own.countdown = SIZE_MAX;
    }
    return true;
}

static size_t chunk_blocks(const struct quick_class *class)
{
    return (CHUNK_BYTES - CHUNK_HEADER) / class->front.block_bytes;
}

/* Blocks that can be given out without another chunk. More than the class has if the free list
 * loops. */
static uint64_t kept_blocks(const struct quick_fit *quick, const struct quick_class *class)
{
    if (quick->watched) { /* links of dead blocks are out of bounds; live is exact instead */
        return class->blocks - class->live;
    }
    uint64_t kept =
        (uint64_t)(class->front.carve_end - class->front.carve) / class->front.block_bytes;
    for (void *block = class->front.own.free_list; block != NULL && kept <= class->blocks;) {
        kept++;
        block = *(void **)block;
    }
    return kept;
}

/* Give the chunks of a size back to the allocator inside. */
static void give_chunks(struct quick_fit *quick, struct quick_class *class)
{
    while (class->chunks != NULL) {
        struct chunk *chunk = class->chunks;
        class->chunks = chunk->next;
        block_mark_live(quick->watched, chunk, CHUNK_BYTES);
        node_allocator_release(quick->base.inner, chunk, CHUNK_BYTES);
    }
    class->front.own.free_list = NULL;
    class->front.carve = class->front.carve_end = NULL;
    class->blocks = 0;
}

/* Give back the chunks of every size without a live block. True if there was such a size. */
static bool give_unused(struct quick_fit *quick)
{
    bool gave = false;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct quick_class *class = &quick->classes[i];
        if (class->chunks != NULL && kept_blocks(quick, class) == class->blocks) {
            give_chunks(quick, class);
            gave = true;
        }
    }
    return gave;
}

/* Take a block from the allocator inside. */
static void *take_inside(struct quick_fit *quick, size_t size)
{
    void *block = node_allocator_allocate(quick->base.inner, size);
    return block == NULL && give_unused(quick) ? node_allocator_allocate(quick->base.inner, size)
                                               : block;
}

static bool add_chunk(struct quick_fit *quick, struct quick_class *class)
{
    struct chunk *chunk = take_inside(quick, CHUNK_BYTES);
    if (chunk == NULL) {
        return false;
    }
    pw_assert(class->front.carve == class->front.carve_end);
    block_mark_dead(quick->watched, chunk + 1, CHUNK_BYTES - sizeof(*chunk));
    chunk->next = class->chunks;
    class->chunks = chunk;
    size_t count = chunk_blocks(class);
    uintptr_t first = ((uintptr_t)(chunk + 1) + 15) & ~(uintptr_t)15;
    class->front.carve = (unsigned char *)first;
    class->front.carve_end = class->front.carve + count * class->front.block_bytes;
    pw_assert(class->front.carve_end <= (unsigned char *)chunk + CHUNK_BYTES);
    class->blocks += count;
    return true;
}

static void *quick_fit_allocate(struct node_allocator *self, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    if (size > SIZE_CLASS_MAX) {
        return take_inside(quick, size);
    }
    struct quick_class *class = &quick->classes[size_class_of(size)];
    struct node_front *front = &class->front;
    if (front->own.free_list != NULL) {
        block_mark_own(quick->watched, front->own.free_list, sizeof(void *));
    } else if (front->carve == front->carve_end && !add_chunk(quick, class)) {
        return NULL;
    }
    void *block = node_front_take(front);
    block_mark_dead(quick->watched, block, front->block_bytes);
    block_mark_live(quick->watched, block, size);
    class->live++;
    allocator_step(self, quick);
    return block;
}

static void quick_fit_release(struct node_allocator *self, void *block, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    if (size > SIZE_CLASS_MAX) {
        node_allocator_release(self->inner, block, size);
        return;
    }
    struct quick_class *class = &quick->classes[size_class_of(size)];
    class->live--;
    block_mark_room_for_link(quick->watched, block, size);
    node_front_give(&class->front, block);
    block_mark_dead(quick->watched, block, class->front.block_bytes);
    allocator_step(self, quick);
}

static void quick_fit_release_chain(struct node_allocator *self, void *head, void *tail,
                                    size_t count, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    if (size > SIZE_CLASS_MAX) {
        node_allocator_release_chain(self->inner, head, tail, count, size);
    } else if (quick->watched) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
    } else if (count > 0) {
        struct quick_class *class = &quick->classes[size_class_of(size)];
        *(void **)tail = class->front.own.free_list;
        class->front.own.free_list = head;
        class->live -= count;
    }
}

static struct node_front *quick_fit_front(struct node_allocator *self, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    return size > SIZE_CLASS_MAX || quick->watched ? NULL
                                                   : &quick->classes[size_class_of(size)].front;
}

static void quick_fit_page_done(struct node_allocator *self, struct node_front *front, void *page)
{
    (void)self;
    (void)front;
    ((struct node_page *)page)->countdown = SIZE_MAX;
}

static void quick_fit_trim(struct node_allocator *self)
{
    give_unused((struct quick_fit *)self);
    node_allocator_trim(self->inner);
}

static void quick_fit_statistics(const struct node_allocator *self,
                                 struct node_allocator_statistics *out)
{
    const struct quick_fit *quick = (const struct quick_fit *)self;
    uint64_t kept = 0;
    uint64_t blocks = 0;
    uint64_t chunks = 0; /* each one a live block of the allocator inside */
    node_allocator_statistics(self->inner, out);
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        kept += kept_blocks(quick, &quick->classes[i]);
        blocks += quick->classes[i].blocks;
        chunks += quick->classes[i].blocks / chunk_blocks(&quick->classes[i]);
    }
    if (out->live_blocks != NODE_STATISTIC_UNKNOWN) {
        out->live_blocks += blocks - kept - chunks;
    }
    out->kept_blocks = kept + (out->kept_blocks != NODE_STATISTIC_UNKNOWN ? out->kept_blocks : 0);
}

/* True if the lists of each size hold what its chunks have, and the heap inside is sound. */
static bool quick_fit_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct quick_fit *quick = (const struct quick_fit *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct quick_class *class = &quick->classes[i];
        uint64_t chunks = 0; /* too many if their list loops */
        for (const struct chunk *chunk = class->chunks; chunk != NULL && chunks <= class->blocks;
             chunk = chunk->next) {
            chunks++;
        }
        if (chunks * chunk_blocks(class) != class->blocks ||
            kept_blocks(quick, class) > class->blocks) {
            snprintf(message, message_size,
                     "quick-fit: %zu-byte class: %llu blocks of %llu chunks, %llu not given out",
                     size_class_bytes(i), (unsigned long long)class->blocks,
                     (unsigned long long)chunks, (unsigned long long)kept_blocks(quick, class));
            return false;
        }
    }
    return node_allocator_check(self->inner, message, message_size);
}

static double quick_fit_bytes_per_block(const struct node_allocator *self, size_t size)
{
    const struct quick_fit *quick = (const struct quick_fit *)self;
    if (size > SIZE_CLASS_MAX) {
        return node_allocator_bytes_per_block(self->inner, size);
    }
    return node_allocator_bytes_per_block(self->inner, CHUNK_BYTES) /
           (double)chunk_blocks(&quick->classes[size_class_of(size)]);
}

static void quick_fit_destroy(struct node_allocator *self)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        give_chunks(quick, &quick->classes[i]);
    }
}

const struct node_allocator_type quick_fit_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "quick-fit",
    .summary = "wrapper: pools of fixed-size small blocks, larger ones from the allocator inside",
    .flags = NODE_ALLOCATOR_WRAPS,
    .instance_bytes = sizeof(struct quick_fit),
    .bytes_per_block = quick_fit_bytes_per_block,
    .create = quick_fit_create,
    .allocate = quick_fit_allocate,
    .release = quick_fit_release,
    .release_chain = quick_fit_release_chain,
    .front = quick_fit_front,
    .page_done = quick_fit_page_done,
    .trim = quick_fit_trim,
    .statistics = quick_fit_statistics,
    .check = quick_fit_check,
    .destroy = quick_fit_destroy,
    .wraps_by_default = "first-fit",
};
