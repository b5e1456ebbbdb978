/*
 * quick_fit.c - the wrapper "quick-fit": pools of small blocks in front of a general heap.
 *
 * 1. A request of up to 512 bytes takes from the free list of its size (size_class.h), else the
 *    next block of the newest chunk. A chunk is 4 KiB of the allocator inside.
 * 2. A larger one goes to the allocator inside (by default first-fit), so that all blocks
 *    lie in one region and can be recorded.
 * 3. Small blocks have no header and are not merged. When a size has no live block, its chunks go
 *    back at a trim, or when the allocator inside has no room left.
 * Cost: a call per block; 16.2 bytes per 16-byte node. Bound: the most blocks alive of each size.
 * Repeated searches age as with pool.
 * Sources: Weinstock and Wulf, "Quick Fit" (1988); suggested by the article on replay.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/size_class.h"
#include <stdio.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)4096)

/* The start of a chunk; its blocks begin at the next multiple of 16. */
struct chunk {
    struct chunk *next;
};

#define CHUNK_HEADER ((sizeof(struct chunk) + 15 + 15) & ~(size_t)15) /* at most */

struct quick_class {
    void *free_list;      /* blocks given back, last in, first out, linked by their first word */
    unsigned char *carve; /* the next block of the newest chunk that was never given out */
    unsigned char *carve_end; /* of the newest chunk */
    struct chunk *chunks;     /* the newest first */
    uint64_t blocks;          /* of all chunks, given out or not */
    uint64_t kept;            /* on the free list */
};

struct quick_fit {
    struct node_allocator base;
    bool watched; /* by Memcheck or AddressSanitizer */
    size_t gap;   /* after each block, for a checker */
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
    quick->gap = block_gap();
    return true;
}

/* Bytes from a block of a class to its neighbour. */
static size_t block_step(const struct quick_fit *quick, size_t class_index)
{
    return size_class_bytes(class_index) + quick->gap;
}

static size_t chunk_blocks(const struct quick_fit *quick, size_t class_index)
{
    return (CHUNK_BYTES - CHUNK_HEADER) / block_step(quick, class_index);
}

/* Blocks of a class that can be given out without another chunk. */
static uint64_t free_blocks(const struct quick_fit *quick, size_t class_index)
{
    const struct quick_class *class = &quick->classes[class_index];
    return class->kept +
           (uint64_t)(class->carve_end - class->carve) / block_step(quick, class_index);
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
    *class = (struct quick_class){.free_list = NULL};
}

/* Give back the chunks of every size without a live block. True if there was such a size. */
static bool give_unused(struct quick_fit *quick)
{
    bool gave = false;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct quick_class *class = &quick->classes[i];
        if (class->chunks != NULL && free_blocks(quick, i) == class->blocks) {
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

/* Another chunk of a size to carve. */
static bool add_chunk(struct quick_fit *quick, size_t class_index)
{
    struct quick_class *class = &quick->classes[class_index];
    struct chunk *chunk = take_inside(quick, CHUNK_BYTES);
    if (chunk == NULL) {
        return false;
    }
    pw_assert(class->carve == class->carve_end);
    block_mark_dead(quick->watched, chunk + 1, CHUNK_BYTES - sizeof(*chunk));
    chunk->next = class->chunks;
    class->chunks = chunk;
    const size_t count = chunk_blocks(quick, class_index);
    const uintptr_t first = ((uintptr_t)(chunk + 1) + 15) & ~(uintptr_t)15;
    class->carve = (unsigned char *)first;
    class->carve_end = class->carve + count * block_step(quick, class_index);
    pw_assert(class->carve_end <= (unsigned char *)chunk + CHUNK_BYTES);
    class->blocks += count;
    return true;
}

static void *take_small(struct quick_fit *quick, size_t size)
{
    const size_t class_index = size_class_of(size);
    struct quick_class *class = &quick->classes[class_index];
    void *block = class->free_list;
    if (block != NULL) {
        block_mark_own(quick->watched, block, sizeof(void *));
        class->free_list = *(void **)block;
        class->kept--;
    } else if (class->carve != class->carve_end || add_chunk(quick, class_index)) {
        block = class->carve;
        class->carve += block_step(quick, class_index);
    } else {
        return NULL;
    }
    block_mark_dead(quick->watched, block, size_class_bytes(class_index));
    block_mark_live(quick->watched, block, size);
    return block;
}

/* Put a chain of free blocks on the free list. */
static void keep_chain(struct quick_class *class, void *head, void *tail, size_t count)
{
    if (count > 0) {
        *(void **)tail = class->free_list;
        class->free_list = head;
        class->kept += count;
    }
}

static void *quick_fit_allocate(struct node_allocator *self, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    void *block = size <= SIZE_CLASS_MAX ? take_small(quick, size) : take_inside(quick, size);
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
    block_mark_room_for_link(quick->watched, block, size);
    *(void **)block = class->free_list;
    class->free_list = block;
    class->kept++;
    block_mark_dead(quick->watched, block, size_class_bytes(size_class_of(size)));
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
    } else {
        keep_chain(&quick->classes[size_class_of(size)], head, tail, count);
    }
}

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

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
        kept += free_blocks(quick, i);
        blocks += quick->classes[i].blocks;
        chunks += quick->classes[i].blocks / chunk_blocks(quick, i);
    }
    if (out->live_blocks != NODE_STATISTIC_UNKNOWN) {
        out->live_blocks += blocks - kept - chunks;
    }
    out->kept_blocks = kept + (out->kept_blocks != NODE_STATISTIC_UNKNOWN ? out->kept_blocks : 0);
}

/* The blocks on the free list of a class; more than the class has if it loops. */
static uint64_t listed_blocks(const struct quick_fit *quick, const struct quick_class *class)
{
    uint64_t count = 0;
    for (void *block = class->free_list; block != NULL && count <= class->blocks; count++) {
        block_mark_own(quick->watched, block, sizeof(void *));
        void *next = *(void **)block;
        block_mark_dead(quick->watched, block, sizeof(void *));
        block = next;
    }
    return count;
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
        if (chunks * chunk_blocks(quick, i) != class->blocks ||
            listed_blocks(quick, class) != class->kept || free_blocks(quick, i) > class->blocks) {
            snprintf(message, message_size,
                     "quick-fit: %zu-byte class: %llu blocks of %llu chunks, %llu not given out",
                     size_class_bytes(i), (unsigned long long)class->blocks,
                     (unsigned long long)chunks, (unsigned long long)free_blocks(quick, i));
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
           (double)chunk_blocks(quick, size_class_of(size));
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
    .trim = quick_fit_trim,
    .statistics = quick_fit_statistics,
    .check = quick_fit_check,
    .destroy = quick_fit_destroy,
    .wraps_by_default = "first-fit",
};
