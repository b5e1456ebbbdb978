/*
 * pool.c - the allocator "pool": blocks that were each malloc'ed once, kept on a free list.
 *
 * 1. A request takes from the free list of its size, and asks malloc only when that is empty.
 * 2. A release puts the block on the free list; a whole chain is spliced in, in O(1).
 * 3. Each thread has a front (node_front.h) with two free lists of at most 256 blocks: one in use,
 *    one spare. A third goes to the heap; a front without a block gets a list from there. That
 *    takes LOCK_HEAPS once for 256 blocks; a pool that grows, once per block, not during malloc.
 * 4. order=lifo, the published one, reuses the block released last. Searches age: reuse scatters
 *    the nodes of a list, a little more each time. order=fifo, without fronts, reuses the block
 *    released first: a FIFO list and the free list are one ring whose order never changes.
 * Bound, per size: the most blocks ever alive at once, and 512 per further thread; 32 bytes per
 * 16-byte node with glibc; none above 512 bytes. Tried: sorting by address when no block is alive,
 * paid at each deletion. Source: the challenge's custom allocator article (lifo); Bonwick and
 * Adams, "Magazines and Vmem" (2001), for the two lists of a front.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include <stdatomic.h>
#include <stdio.h>

#define LIST_BLOCKS 256 /* of a full list: a front fills one, then begins another */

enum { ORDER_LIFO, ORDER_FIFO };
enum { OPTION_ORDER };

/* The blocks of one size. Everything but blocks is changed under the lock. */
struct pool_class {
    void *free_list;      /* linked by their first word */
    void **free_end;      /* order=fifo: where the next block is linked in */
    size_t kept;          /* blocks on free_list */
    void *full_lists;     /* of LIST_BLOCKS blocks each, from fronts; linked by the second word of
                             each list's first block */
    size_t full_count;    /* lists on full_lists */
    atomic_size_t blocks; /* malloc'ed and not freed; fronts count without the lock */
    size_t block_bytes;
};

struct pool {
    struct node_allocator base;
    unsigned order;
    bool watched;         /* by Memcheck or AddressSanitizer */
    uint64_t large_live;  /* blocks above SIZE_CLASS_MAX, straight from the source */
    uint64_t large_bytes; /* that the source spends on them */
    uint64_t large_bytes_max;
    uint64_t kept_bytes_max; /* the most that blocks of all classes took at any trim */
    struct node_front *fronts;
    struct pool_class classes[SIZE_CLASS_COUNT];
    PW_DEBUG_ONLY(uint64_t steps;)
};

static const struct node_option options[] = {
    [OPTION_ORDER] = {"order", NODE_OPTION_CHOICE, "lifo", "lifo|fifo", 0, 0,
                      "which kept block is reused first; lifo ages, fifo does not"},
    {.name = NULL},
};

/* Each block is a separate malloc: glibc's size word, rounded up to two words, at least four. */
static double pool_bytes_per_block(const struct node_allocator *self, size_t size)
{
    size_t block = size > SIZE_CLASS_MAX ? size : size_class_bytes(size_class_of(size));
    return malloc_allocator.bytes_per_block(self, block);
}

static bool pool_create(struct node_allocator *self, const struct node_option_value *values,
                        struct node_allocator_error *error)
{
    struct pool *pool = (struct pool *)self;
    (void)error;
    pool->order = (unsigned)values[OPTION_ORDER].number;
    pw_assert(pool->order <= ORDER_FIFO);
    pool->watched = blocks_are_watched();
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        class->free_end = &class->free_list;
        class->block_bytes = size_class_bytes(i);
    }
    return true;
}

static struct pool_class *class_of(struct pool *pool, size_t size)
{
    return &pool->classes[size_class_of(size)];
}

/* The free list of a class, under the lock ----------------------------------------------------- */

/* Put a chain on the free list: before the others, or with order=fifo after them. */
static void push_chain(struct pool *pool, struct pool_class *class, void *head, void *tail,
                       size_t count)
{
    if (pool->order == ORDER_FIFO) {
        *(void **)tail = NULL;
        if (class->free_list != NULL) {
            block_mark_own(pool->watched, class->free_end, sizeof(void *));
        }
        *class->free_end = head;
        class->free_end = (void **)tail;
    } else {
        *(void **)tail = class->free_list;
        class->free_list = head;
    }
    class->kept += count;
}

/* True if the free list has a block; an empty one becomes one of the full lists first. */
static bool has_free(struct pool_class *class)
{
    if (class->free_list == NULL && class->full_lists != NULL) {
        class->free_list = class->full_lists;
        class->full_lists = ((void **)class->free_list)[1];
        class->full_count--;
        class->kept = LIST_BLOCKS;
    }
    pw_assert((class->free_list == NULL) == (class->kept == 0));
    return class->free_list != NULL;
}

/* A block from the free list, or NULL. */
static void *pop(struct pool *pool, struct pool_class *class)
{
    if (!has_free(class)) {
        return NULL;
    }
    void *block = class->free_list;
    block_mark_own(pool->watched, block, sizeof(void *));
    class->free_list = *(void **)block;
    class->kept--;
    if (class->free_list == NULL) {
        class->free_end = &class->free_list;
    }
    return block;
}

/* Fronts: each is used by its own thread, and only there without the lock ---------------------- */

static bool pool_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX || pool->order != ORDER_LIFO || pool->watched) {
        return false;
    }
    front->block_bytes = class_of(pool, size)->block_bytes;
    front->kept_max = LIST_BLOCKS;
    const bool locked = shared_lock(LOCK_HEAPS);
    node_front_enter(&pool->fronts, front);
    shared_unlock(LOCK_HEAPS, locked);
    return true;
}

/* Give the first LIST_BLOCKS blocks of the free list to an empty front, or all blocks if there are
 * fewer. The end of a longer list is found by a walk over blocks that the front gives out next. */
static void load(struct pool_class *class, struct node_front *front)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    if (has_free(class)) {
        front->free_list = class->free_list;
        front->kept = class->kept < LIST_BLOCKS ? class->kept : LIST_BLOCKS;
        void *rest = NULL;
        if (class->kept > LIST_BLOCKS) {
            void **last = front->free_list;
            for (size_t i = 1; i < LIST_BLOCKS; i++) {
                last = *last;
            }
            rest = *last;
            *last = NULL;
        }
        class->free_list = rest;
        class->kept -= front->kept;
    }
    shared_unlock(LOCK_HEAPS, locked);
}

static void *pool_take(struct node_allocator *self, struct node_front *front)
{
    struct pool_class *class = class_of((struct pool *)self, front->block_bytes);
    pw_assert(front->free_list == NULL && front->kept == 0);
    if (front->spare != NULL) {
        front->free_list = front->spare;
        front->kept = LIST_BLOCKS;
        front->spare = NULL;
    } else {
        load(class, front);
    }
    void *block = node_front_take(front, front->block_bytes);
    if (block == NULL) {
        block = self->source->allocate(front->block_bytes);
        atomic_fetch_add_explicit(&class->blocks, block != NULL, memory_order_relaxed);
    }
    allocator_step(self, (struct pool *)self);
    return block;
}

/* The spare list of a front goes to the heap. Under the lock. */
static void unload_spare(struct pool_class *class, struct node_front *front)
{
    if (front->spare != NULL) {
        ((void **)front->spare)[1] = class->full_lists;
        class->full_lists = front->spare;
        class->full_count++;
        front->spare = NULL;
    }
}

/* The spare list goes to the heap, and the full free list becomes the spare list. A front that was
 * opened for this call has room, and only pushes. */
static void pool_give(struct node_allocator *self, struct node_front *front, void *block)
{
    if (node_front_push(front, block)) {
        return;
    }
    pw_assert(front->kept == LIST_BLOCKS);
    if (front->spare != NULL) {
        const bool locked = shared_lock(LOCK_HEAPS);
        unload_spare(class_of((struct pool *)self, front->block_bytes), front);
        shared_unlock(LOCK_HEAPS, locked);
    }
    front->spare = front->free_list;
    front->free_list = NULL;
    front->kept = 0;
    node_front_push(front, block);
    allocator_step(self, (struct pool *)self);
}

static void pool_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX || pool->watched) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
    } else if (count > 0) {
        const bool locked = shared_lock(LOCK_HEAPS);
        push_chain(pool, class_of(pool, size), head, tail, count);
        shared_unlock(LOCK_HEAPS, locked);
    }
}

static void pool_give_chain(struct node_allocator *self, struct node_front *front, void *head,
                            void *tail, size_t count)
{
    if (count <= front->kept_max - front->kept) {
        *(void **)tail = front->free_list;
        front->free_list = head;
        front->kept += count;
    } else {
        pool_release_chain(self, head, tail, count, front->block_bytes);
    }
}

static void pool_close_front(struct node_allocator *self, struct node_front *front)
{
    struct pool *pool = (struct pool *)self;
    struct pool_class *class = class_of(pool, front->block_bytes);
    const bool locked = shared_lock(LOCK_HEAPS);
    unload_spare(class, front);
    for (void *block; (block = node_front_take(front, front->block_bytes)) != NULL;) {
        push_chain(pool, class, block, block, 1);
    }
    node_front_leave(&pool->fronts, front);
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type pool_fronts = {pool_open_front, pool_take, pool_give,
                                                   pool_give_chain, pool_close_front};

/* Blocks without a front ----------------------------------------------------------------------- */

static void *allocate_large(struct pool *pool, size_t size)
{
    void *block = pool->base.source->allocate(size);
    if (block != NULL) {
        pool->large_live++;
        pool->large_bytes += (uint64_t)pool_bytes_per_block(&pool->base, size);
        if (pool->large_bytes > pool->large_bytes_max) {
            pool->large_bytes_max = pool->large_bytes;
        }
    }
    return block;
}

static void *allocate_small(struct pool *pool, size_t size)
{
    struct pool_class *class = class_of(pool, size);
    void *block = pop(pool, class);
    if (block == NULL) {
        block = pool->base.source->allocate(class->block_bytes);
        class->blocks += block != NULL;
    }
    if (block != NULL) {
        block_mark_dead(pool->watched, block, class->block_bytes);
        block_mark_live(pool->watched, block, size);
    }
    return block;
}

static void *pool_allocate(struct node_allocator *self, size_t size)
{
    struct pool *pool = (struct pool *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = size > SIZE_CLASS_MAX ? allocate_large(pool, size) : allocate_small(pool, size);
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void pool_release(struct node_allocator *self, void *block, size_t size)
{
    struct pool *pool = (struct pool *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    if (size > SIZE_CLASS_MAX) {
        pw_assert(pool->large_live > 0 && pool->large_bytes >= size);
        pool->large_live--;
        pool->large_bytes -= (uint64_t)pool_bytes_per_block(self, size);
        self->source->release(block);
    } else {
        struct pool_class *class = class_of(pool, size);
        block_mark_room_for_link(pool->watched, block, size);
        push_chain(pool, class, block, block, 1);
        block_mark_dead(pool->watched, block, class->block_bytes);
    }
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
}

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

/* The blocks of all classes: malloc'ed and not freed, their bytes, and those to be used again. */
struct totals {
    uint64_t blocks, bytes, kept;
};

static struct totals count_all(const struct pool *pool)
{
    struct totals all = {0};
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct pool_class *class = &pool->classes[i];
        all.blocks += class->blocks;
        all.bytes +=
            class->blocks * (uint64_t)pool_bytes_per_block(&pool->base, class->block_bytes);
        all.kept += class->kept + class->full_count * LIST_BLOCKS;
    }
    for (const struct node_front *front = pool->fronts; front != NULL; front = front->next) {
        all.kept += front->kept + (front->spare != NULL ? LIST_BLOCKS : 0);
    }
    return all;
}

static void pool_trim(struct node_allocator *self)
{
    struct pool *pool = (struct pool *)self;
    while (pool->fronts != NULL) {
        pool_close_front(self, pool->fronts);
    }
    const uint64_t bytes = count_all(pool).bytes;
    pool->kept_bytes_max = bytes > pool->kept_bytes_max ? bytes : pool->kept_bytes_max;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        for (void *block; (block = pop(pool, class)) != NULL; class->blocks--) {
            pw_assert(class->blocks > 0);
            block_mark_live(pool->watched, block, class->block_bytes);
            self->source->release(block);
        }
    }
}

/* held_bytes_max may be too high: the most of small and the most of large blocks, at any times. */
static void pool_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct pool *pool = (const struct pool *)self;
    const struct totals all = count_all(pool);
    out->kept_blocks = all.kept;
    out->live_blocks = all.blocks - all.kept + pool->large_live;
    out->held_bytes = all.bytes + pool->large_bytes;
    out->held_bytes_max = (all.bytes > pool->kept_bytes_max ? all.bytes : pool->kept_bytes_max) +
                          pool->large_bytes_max;
}

static bool pool_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct pool *pool = (const struct pool *)self;
    const struct totals all = count_all(pool);
    bool is_sound = all.kept <= all.blocks;
    for (size_t i = 0; i < SIZE_CLASS_COUNT && is_sound && !pool->watched; i++) {
        const struct pool_class *class = &pool->classes[i];
        size_t kept = 0;
        for (void *block = class->free_list; block != NULL && kept <= class->kept; kept++) {
            block = *(void **)block;
        }
        is_sound = kept == class->kept;
    }
    if (!is_sound) {
        snprintf(message, message_size, "pool: a free list is miscounted");
    }
    return is_sound;
}

const struct node_allocator_type pool_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "pool",
    .summary = "each node malloc'ed once, then kept on a free list",
    .flags = NODE_ALLOCATOR_THREAD_SAFE,
    .instance_bytes = sizeof(struct pool),
    .options = options,
    .bytes_per_block = pool_bytes_per_block,
    .create = pool_create,
    .allocate = pool_allocate,
    .release = pool_release,
    .release_chain = pool_release_chain,
    .fronts = &pool_fronts,
    .trim = pool_trim,
    .statistics = pool_statistics,
    .check = pool_check,
    .destroy = pool_trim,
};
