/*
 * quick_fit.c - the wrapper "quick-fit": pools of small blocks in front of a general heap.
 *
 * 1. A request of up to 512 bytes takes from the free list of its size (size_class.h), else the
 *    next block of the newest chunk. A chunk is 4 KiB of the allocator inside. Each list has a
 *    free list and a chunk of its own, the rest waits in a depot for all (magazines.h).
 * 2. A larger one goes to the allocator inside (first-fit if none is named), so that all blocks
 *    lie in one region and can be recorded.
 * 3. Small blocks have no header and are not merged. When a size has no live block, its chunks go
 *    back at a trim, or when the allocator inside has no room left. The allocator inside is asked
 *    under the lock, so it need not be thread-safe.
 * Cost: a few instructions inline; 16.2 bytes per 16-byte node. Bound: the most blocks alive of
 * each size. Repeated searches age as with pool.
 * Sources: Weinstock and Wulf, "Quick Fit" (1988); suggested by the article on replay.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/magazines.h"
#include "alloc/size_class.h"
#include <stdio.h>

#define CHUNK_BYTES ((size_t)4096)

/* The start of a chunk; its blocks begin at the next multiple of 16. */
struct chunk {
    struct chunk *next;
};

#define CHUNK_HEADER ((sizeof(struct chunk) + 15 + 15) & ~(size_t)15) /* at most */

struct quick_class {
    struct magazine_depot depot;
    struct node_front shared; /* of allocate and release; used under the lock */
    struct chunk *chunks;     /* the newest first */
    uint64_t blocks;          /* of all chunks, given out or not */
};

struct quick_fit {
    struct node_allocator base;
    bool watched; /* by Memcheck or AddressSanitizer: no front is opened */
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
        struct quick_class *class = &quick->classes[i];
        class->depot.is_watched = quick->watched;
        magazines_open(&class->depot, &class->shared, size_class_bytes(i) + block_gap());
    }
    return true;
}

static size_t chunk_blocks(const struct quick_class *class)
{
    return (CHUNK_BYTES - CHUNK_HEADER) / class->shared.block_bytes;
}

/* Blocks that can be given out without another chunk. More than the class has if a list loops. */
static uint64_t kept_blocks(const struct quick_class *class)
{
    uint64_t kept = magazines_blocks(&class->depot, class->blocks);
    for (const struct node_front *at = class->depot.fronts; at != NULL; at = at->next_front) {
        kept += node_front_blocks(at) - at->kept;
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
    class->depot.first = NULL;
    for (struct node_front *at = class->depot.fronts; at != NULL; at = at->next_front) {
        magazines_forget(at);
    }
    class->blocks = 0;
}

/* True if no other front than the shared one is open: another thread may use it. */
static bool is_alone(const struct quick_class *class)
{
    return class->shared.next_front == NULL && class->shared.previous_front == NULL;
}

/* Give back the chunks of every size without a live block; while others work, only if no front of
 * that size can be theirs. True if there was such a size. */
static bool give_unused(struct quick_fit *quick, bool while_others_work)
{
    bool gave = false;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct quick_class *class = &quick->classes[i];
        const bool may_look = !while_others_work || is_alone(class);
        if (class->chunks != NULL && may_look && kept_blocks(class) == class->blocks) {
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
    return block == NULL && give_unused(quick, true)
               ? node_allocator_allocate(quick->base.inner, size)
               : block;
}

/* Another chunk for a front to carve. */
static bool add_chunk(struct quick_fit *quick, struct quick_class *class, struct node_front *front)
{
    struct chunk *chunk = take_inside(quick, CHUNK_BYTES);
    if (chunk == NULL) {
        return false;
    }
    pw_assert(front->carve == front->carve_end);
    block_mark_dead(quick->watched, chunk + 1, CHUNK_BYTES - sizeof(*chunk));
    chunk->next = class->chunks;
    class->chunks = chunk;
    size_t count = chunk_blocks(class);
    uintptr_t first = ((uintptr_t)(chunk + 1) + 15) & ~(uintptr_t)15;
    front->carve = (unsigned char *)first;
    front->carve_end = front->carve + count * front->block_bytes;
    pw_assert(front->carve_end <= (unsigned char *)chunk + CHUNK_BYTES);
    class->blocks += count;
    return true;
}

/* The blocks that the shared front has not carved, for another one. */
static bool move_carve(struct quick_class *class, struct node_front *front)
{
    struct node_front *shared = &class->shared;
    const bool has_some = front != shared && shared->carve != shared->carve_end;
    if (has_some) {
        front->carve = shared->carve;
        front->carve_end = shared->carve_end;
        shared->carve = shared->carve_end = NULL;
    }
    return has_some;
}

/* A block for a front that has none. Under the lock. */
static void *take_locked(struct quick_fit *quick, struct quick_class *class,
                         struct node_front *front)
{
    const bool has_some = magazines_swap(front) || magazines_load(&class->depot, front) ||
                          move_carve(class, front) || add_chunk(quick, class, front);
    return has_some ? node_front_take(front, front->block_bytes) : NULL;
}

static void *allocate_locked(struct quick_fit *quick, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        return take_inside(quick, size);
    }
    struct quick_class *class = &quick->classes[size_class_of(size)];
    struct node_front *front = &class->shared;
    if (front->free_list != NULL) {
        block_mark_own(quick->watched, front->free_list, sizeof(void *));
    }
    void *block = node_front_take(front, front->block_bytes);
    block = block != NULL ? block : take_locked(quick, class, front);
    if (block != NULL) {
        block_mark_dead(quick->watched, block, front->block_bytes);
        block_mark_live(quick->watched, block, size);
    }
    return block;
}

static void *quick_fit_allocate(struct node_allocator *self, size_t size)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = allocate_locked((struct quick_fit *)self, size);
    allocator_step(self, (struct quick_fit *)self);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void release_locked(struct quick_fit *quick, void *block, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        node_allocator_release(quick->base.inner, block, size);
        return;
    }
    struct quick_class *class = &quick->classes[size_class_of(size)];
    block_mark_room_for_link(quick->watched, block, size);
    magazines_release(&class->depot, block);
    block_mark_dead(quick->watched, block, class->shared.block_bytes);
}

static void quick_fit_release(struct node_allocator *self, void *block, size_t size)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    release_locked((struct quick_fit *)self, block, size);
    allocator_step(self, (struct quick_fit *)self);
    shared_unlock(LOCK_HEAPS, locked);
}

static void quick_fit_release_chain(struct node_allocator *self, void *head, void *tail,
                                    size_t count, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    if (quick->watched && size <= SIZE_CLASS_MAX) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
        return;
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    if (size > SIZE_CLASS_MAX) {
        node_allocator_release_chain(self->inner, head, tail, count, size);
    } else if (count > 0) {
        struct quick_class *class = &quick->classes[size_class_of(size)];
        magazines_give_chain(&class->depot, &class->shared, head, tail, count);
    }
    shared_unlock(LOCK_HEAPS, locked);
}

/* Fronts --------------------------------------------------------------------------------------- */

static struct quick_class *class_of(struct node_allocator *self, const struct node_front *front)
{
    return &((struct quick_fit *)self)->classes[size_class_of(front->block_bytes)];
}

static bool quick_fit_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    struct quick_fit *quick = (struct quick_fit *)self;
    if (size > SIZE_CLASS_MAX || quick->watched) {
        return false;
    }
    struct quick_class *class = &quick->classes[size_class_of(size)];
    const bool locked = shared_lock(LOCK_HEAPS);
    magazines_open(&class->depot, front, class->shared.block_bytes);
    shared_unlock(LOCK_HEAPS, locked);
    return true;
}

static void *quick_fit_take(struct node_allocator *self, struct node_front *front)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = take_locked((struct quick_fit *)self, class_of(self, front), front);
    allocator_step(self, (struct quick_fit *)self);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void quick_fit_give(struct node_allocator *self, struct node_front *front, void *block)
{
    struct magazine_depot *depot = &class_of(self, front)->depot;
    if (!magazines_keep(depot, front, block)) {
        const bool locked = shared_lock(LOCK_HEAPS);
        magazines_store(depot, front, block);
        shared_unlock(LOCK_HEAPS, locked);
    }
}

/* Move what a front has not carved to its free list, in address order. */
static void keep_carve(struct node_front *front)
{
    for (unsigned char *block = front->carve_end; block != front->carve;) {
        block -= front->block_bytes;
        *(void **)block = front->free_list;
        front->free_list = block;
        front->kept++;
    }
    front->carve = front->carve_end = NULL;
}

/* What the front has not carved goes to the shared one, or else to the depot. */
static void quick_fit_close_front(struct node_allocator *self, struct node_front *front, void *head,
                                  void *tail, size_t count)
{
    struct quick_class *class = class_of(self, front);
    struct node_front *shared = &class->shared;
    const bool locked = shared_lock(LOCK_HEAPS);
    magazines_settle(&class->depot, front);
    if (shared->carve == shared->carve_end) {
        shared->carve = front->carve;
        shared->carve_end = front->carve_end;
        front->carve = front->carve_end = NULL;
    }
    keep_carve(front);
    magazines_give_chain(&class->depot, front, head, tail, count);
    magazines_close(&class->depot, front);
    allocator_step(self, (struct quick_fit *)self);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type quick_fit_fronts = {quick_fit_open_front, quick_fit_take,
                                                        quick_fit_give, quick_fit_close_front};

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

static void quick_fit_trim(struct node_allocator *self)
{
    give_unused((struct quick_fit *)self, false);
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
        kept += kept_blocks(&quick->classes[i]);
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
        if (chunks * chunk_blocks(class) != class->blocks || kept_blocks(class) > class->blocks) {
            snprintf(message, message_size,
                     "quick-fit: %zu-byte class: %llu blocks of %llu chunks, %llu not given out",
                     size_class_bytes(i), (unsigned long long)class->blocks,
                     (unsigned long long)chunks, (unsigned long long)kept_blocks(class));
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
    .flags = NODE_ALLOCATOR_WRAPS | NODE_ALLOCATOR_THREAD_SAFE,
    .instance_bytes = sizeof(struct quick_fit),
    .bytes_per_block = quick_fit_bytes_per_block,
    .create = quick_fit_create,
    .allocate = quick_fit_allocate,
    .release = quick_fit_release,
    .release_chain = quick_fit_release_chain,
    .fronts = &quick_fit_fronts,
    .trim = quick_fit_trim,
    .statistics = quick_fit_statistics,
    .check = quick_fit_check,
    .destroy = quick_fit_destroy,
    .wraps_by_default = "first-fit",
};
