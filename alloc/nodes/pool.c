/*
 * pool.c - the allocator "pool": blocks that were each malloc'ed once, kept on a free list.
 *
 * 1. A request takes from the free list of its size, and asks malloc only when that is empty.
 * 2. A release puts the block on the free list; a whole chain is spliced in, in O(1).
 * 3. Each list and each thread has a free list of at most 256 blocks; the rest waits in a depot for
 *    all (magazines.h). The lock is taken once per 128 blocks, and in a process with threads not
 *    held while malloc is called: the blocks that a front takes so are booked with its next 128.
 * 4. order=lifo, the published one, reuses the block released last. Repeated searches age: reuse
 *    scatters neighbours of a list over memory, a little more each time. order=fifo reuses the
 *    block released first: a FIFO list and the free list are one ring whose order never changes,
 *    so nothing ages. A release is a call. order=address sorts the free list by address when a
 *    list is deleted and no block is alive: the same cure, paid at each deletion. It has no fronts.
 * Bound: the most blocks ever alive at once, and 384 per further list or thread in use; 32 bytes
 * per 16-byte node with glibc; blocks above 512 bytes are not kept. Source: the challenge's custom
 * allocator article (lifo). One file: an allocator is one.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/magazines.h"
#include "alloc/size_class.h"
#include <stdio.h>

enum { ORDER_LIFO, ORDER_FIFO, ORDER_ADDRESS };
enum { OPTION_ORDER };
enum { FRONT_UNBOOKED = 1 }; /* in own_count of a front, beside what magazines.h keeps there */

struct pool_class {
    struct magazine_depot depot;
    struct node_front shared; /* of allocate and release; used under the lock */
    uint64_t blocks;          /* malloc'ed, booked, and not given back */
    uint64_t spent_bytes;     /* by the source on a block: see spent_bytes */
};

struct pool {
    struct node_allocator base;
    unsigned order;
    bool watched; /* by Memcheck or AddressSanitizer */
    uint64_t held_bytes;
    uint64_t held_bytes_max;
    uint64_t large_live; /* blocks above SIZE_CLASS_MAX, straight from the source */
    struct pool_class classes[SIZE_CLASS_COUNT];
    _Alignas(64) struct node_front threads[THREAD_NUMBERS]; /* of allocate and release for blocks of
                                                               the least size, with threads */
    PW_DEBUG_ONLY(uint64_t steps;)
};

static const struct node_option options[] = {
    [OPTION_ORDER] = {"order", NODE_OPTION_CHOICE, "lifo", "lifo|fifo|address", 0, 0,
                      "which kept block is reused first; lifo ages, the others do not"},
    {.name = NULL},
};

static bool opens_fronts(const struct pool *pool)
{
    return pool->order != ORDER_ADDRESS && !pool->watched;
}

/* The bytes that the source spends on a block, estimated for glibc's malloc: its size word and
 * rounding make 32 bytes of 16. */
static uint64_t spent_bytes(const struct pool *pool, size_t bytes)
{
    return (uint64_t)malloc_allocator.bytes_per_block(&pool->base, bytes);
}

static bool pool_create(struct node_allocator *self, const struct node_option_value *values,
                        struct node_allocator_error *error)
{
    struct pool *pool = (struct pool *)self;
    (void)error;
    pool->order = (unsigned)values[OPTION_ORDER].number;
    pw_assert(pool->order <= ORDER_ADDRESS);
    pool->watched = blocks_are_watched();
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        class->depot.is_fifo = pool->order == ORDER_FIFO;
        class->depot.is_watched = pool->watched;
        class->spent_bytes = spent_bytes(pool, size_class_bytes(i));
        magazines_open(&class->depot, &class->shared, size_class_bytes(i));
        if (pool->order == ORDER_ADDRESS) {
            class->shared.keep = SIZE_MAX; /* one free list, to be sorted as a whole */
        }
    }
    return true;
}

static struct pool_class *class_of(struct pool *pool, size_t size)
{
    return &pool->classes[size_class_of(size)];
}

static void hold(struct pool *pool, uint64_t bytes)
{
    pool->held_bytes += bytes;
    if (pool->held_bytes > pool->held_bytes_max) {
        pool->held_bytes_max = pool->held_bytes;
    }
}

/* Take a block from the source and book what it spends as held; or NULL. */
static void *take_from_source(struct pool *pool, size_t bytes, uint64_t spent)
{
    void *block = pool->base.source->allocate(bytes);
    if (block != NULL) {
        hold(pool, spent);
    }
    return block;
}

/* Book the blocks that a front took from the source itself. Under the lock. */
static void book(struct pool *pool, struct pool_class *class, struct node_front *front)
{
    const uint64_t count = front->own_count[FRONT_UNBOOKED];
    front->own_count[FRONT_UNBOOKED] = 0;
    class->blocks += count;
    hold(pool, count * class->spent_bytes);
}

/* The front of this thread for blocks of this size; NULL: there is none. */
static struct node_front *front_of_thread(struct pool *pool, size_t size)
{
    return pool->order == ORDER_ADDRESS
               ? NULL
               : magazines_of_thread(&pool->classes[0].depot, pool->threads, size);
}

/* Book what the front of this thread took, so that its next take looks into the depot. Under the
 * lock. */
static void book_thread(struct pool *pool, size_t size)
{
    struct node_front *own = front_of_thread(pool, size);
    if (own != NULL) {
        book(pool, &pool->classes[0], own);
    }
}

/* A block from the source, to be booked later; or NULL. Without the lock. */
static void *take_unbooked(const struct pool *pool, struct node_front *front)
{
    void *block = pool->base.source->allocate(front->block_bytes);
    front->own_count[FRONT_UNBOOKED] += block != NULL;
    return block;
}

/* The blocks that the open fronts have not booked. Nobody works on the heap. */
static uint64_t unbooked_blocks(const struct pool_class *class)
{
    uint64_t count = 0;
    for (const struct node_front *at = class->depot.fronts; at != NULL; at = at->next_front) {
        count += at->own_count[FRONT_UNBOOKED];
    }
    return count;
}

/* A block that the pool never had, or NULL. Under the lock. */
static void *take_new(struct pool *pool, struct pool_class *class)
{
    void *block = take_from_source(pool, class->shared.block_bytes, class->spent_bytes);
    class->blocks += block != NULL;
    return block;
}

/* A block that is kept for this front, or NULL; the caller marks it. Under the lock. */
static void *take_kept(const struct pool *pool, struct pool_class *class, struct node_front *front)
{
    if (front->free_list == NULL && !magazines_swap(front) &&
        !magazines_load(&class->depot, front)) {
        return NULL;
    }
    block_mark_own(pool->watched, front->free_list, sizeof(void *));
    return node_front_take(front, front->block_bytes);
}

static void *allocate_locked(struct pool *pool, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        book_thread(pool, SIZE_CLASS_STEP);
        void *large = take_from_source(pool, size, spent_bytes(pool, size));
        pool->large_live += large != NULL;
        return large;
    }
    struct pool_class *class = class_of(pool, size);
    void *block = take_kept(pool, class, &class->shared);
    block = block != NULL ? block : take_new(pool, class);
    if (block != NULL) {
        block_mark_dead(pool->watched, block, class->shared.block_bytes);
        block_mark_live(pool->watched, block, size);
    }
    return block;
}

static void release_locked(struct pool *pool, void *block, size_t size)
{
    if (size > SIZE_CLASS_MAX) {
        pw_assert(pool->large_live > 0 && pool->held_bytes >= size);
        pool->large_live--;
        pool->held_bytes -= spent_bytes(pool, size);
        pool->base.source->release(block);
        return;
    }
    struct pool_class *class = class_of(pool, size);
    pw_assert(class->blocks > 0);
    block_mark_room_for_link(pool->watched, block, size);
    magazines_release(&class->depot, block);
    block_mark_dead(pool->watched, block, class->shared.block_bytes);
}

/* One pass of a radix sort of a list by eleven bits of the address. Returns the new head. */
static void *sort_pass(void *head, unsigned shift)
{
    enum { BUCKETS = 2048 };
    void *first[BUCKETS] = {NULL};
    void **end[BUCKETS];
    for (size_t i = 0; i < BUCKETS; i++) {
        end[i] = &first[i];
    }
    for (void *block = head; block != NULL;) {
        void *next = *(void **)block;
        size_t bucket = ((uintptr_t)block >> shift) % BUCKETS;
        *end[bucket] = block;
        end[bucket] = (void **)block;
        block = next;
    }
    void *sorted = NULL;
    for (size_t i = BUCKETS; i-- > 0;) {
        if (first[i] != NULL) {
            *end[i] = sorted;
            sorted = first[i];
        }
    }
    return sorted;
}

static void sort_by_address(struct pool_class *class)
{
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    bool sorted = true;
    void *previous = NULL;
    for (void *block = class->shared.free_list; block != NULL; block = *(void **)block) {
        block_mark_own(true, block, sizeof(void *));
        sorted = sorted && (uintptr_t)block > (uintptr_t)previous;
        low = (uintptr_t)block < low ? (uintptr_t)block : low;
        high = (uintptr_t)block > high ? (uintptr_t)block : high;
        previous = block;
    }
    if (!sorted) {
        uintptr_t differing = low ^ high; /* the addresses agree above its highest bit */
        for (unsigned shift = 3; shift < 8 * sizeof(uintptr_t) && differing >> shift; shift += 11) {
            class->shared.free_list = sort_pass(class->shared.free_list, shift);
        }
    }
    if (blocks_are_watched()) {
        for (void *block = class->shared.free_list; block != NULL;) {
            void *next = *(void **)block;
            block_mark_dead(true, block, class->shared.block_bytes);
            block = next;
        }
    }
}

/* The blocks of a class on its free lists. */
static uint64_t kept_blocks(const struct pool_class *class, uint64_t blocks)
{
    const uint64_t kept = magazines_blocks(&class->depot, blocks);
    return kept < blocks ? kept : blocks;
}

/* Take a chain back, perhaps of no block. Under the lock. */
static void release_chain_locked(struct pool *pool, struct pool_class *class, void *head,
                                 void *tail, size_t count)
{
    struct node_front *front = &class->shared;
    if (pool->order != ORDER_ADDRESS) {
        book_thread(pool, front->block_bytes);
        magazines_give_chain(&class->depot, front, head, tail, count);
        return;
    }
    if (count > 0) {
        *(void **)tail = front->free_list;
        front->free_list = head;
        front->kept += count;
    }
    if (front->kept == class->blocks) {
        sort_by_address(class);
    }
}

static void pool_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX || pool->watched) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
    }
    if (size > SIZE_CLASS_MAX) {
        return;
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    struct pool_class *class = class_of(pool, size);
    if (!pool->watched) {
        release_chain_locked(pool, class, head, tail, count);
    } else if (pool->order == ORDER_ADDRESS && class->shared.kept == class->blocks) {
        sort_by_address(class);
    }
    shared_unlock(LOCK_HEAPS, locked);
}

/* Fronts --------------------------------------------------------------------------------------- */

static struct pool_class *class_of_front(struct node_allocator *self,
                                         const struct node_front *front)
{
    return class_of((struct pool *)self, front->block_bytes);
}

static bool pool_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX || !opens_fronts(pool)) {
        return false;
    }
    struct pool_class *class = class_of(pool, size);
    const bool locked = shared_lock(LOCK_HEAPS);
    magazines_open(&class->depot, front, class->shared.block_bytes);
    shared_unlock(LOCK_HEAPS, locked);
    return true;
}

/* Load what is kept for all, or else by this thread. False: there is nothing. Under the lock. */
static bool load_among_threads(struct pool *pool, struct pool_class *class,
                               struct node_front *front)
{
    if (magazines_load(&class->depot, front)) {
        return true;
    }
    struct node_front *own = front_of_thread(pool, front->block_bytes);
    if (own == NULL || own == front) {
        return false;
    }
    magazines_flush(&class->depot, own);
    return magazines_load(&class->depot, front);
}

/* A block from the depot or the source, in a process with threads. */
static __attribute__((noinline)) void *
take_among_threads(struct pool *pool, struct pool_class *class, struct node_front *front)
{
    void *block = NULL;
    const bool has_waiting = front->own_count[MAGAZINE_WAITING] > 0; /* first in, first out */
    if (front->own_count[FRONT_UNBOOKED] % MAGAZINE_BLOCKS != 0 && !has_waiting) {
        block = take_unbooked(pool, front);
    }
    if (block != NULL) {
        return block;
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    book(pool, class, front);
    if (load_among_threads(pool, class, front)) {
        block = node_front_take(front, front->block_bytes);
    }
    shared_unlock(LOCK_HEAPS, locked);
    return block != NULL ? block : take_unbooked(pool, front);
}

static void *pool_take(struct node_allocator *self, struct node_front *front)
{
    struct pool *pool = (struct pool *)self;
    if (magazines_swap(front)) {
        return node_front_take(front, front->block_bytes);
    }
    struct pool_class *class = class_of_front(self, front);
    if (!is_single_threaded()) {
        return take_among_threads(pool, class, front);
    }
    void *block = magazines_load(&class->depot, front) ? node_front_take(front, front->block_bytes)
                                                       : take_new(pool, class);
    allocator_step(self, pool);
    return block;
}

static void pool_give(struct node_allocator *self, struct node_front *front, void *block)
{
    struct pool_class *class = class_of_front(self, front);
    if (!magazines_keep(&class->depot, front, block)) {
        const bool locked = shared_lock(LOCK_HEAPS);
        book((struct pool *)self, class, front); /* so the next take looks into the depot */
        magazines_store(&class->depot, front, block);
        allocator_step(self, (struct pool *)self);
        shared_unlock(LOCK_HEAPS, locked);
    }
}

static void pool_close_front(struct node_allocator *self, struct node_front *front, void *head,
                             void *tail, size_t count)
{
    struct pool_class *class = class_of_front(self, front);
    const bool locked = shared_lock(LOCK_HEAPS);
    book((struct pool *)self, class, front);
    book_thread((struct pool *)self, front->block_bytes);
    magazines_give_chain(&class->depot, front, head, tail, count);
    magazines_close(&class->depot, front);
    allocator_step(self, (struct pool *)self);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type pool_fronts = {pool_open_front, pool_take, pool_give,
                                                   pool_close_front};

/* Blocks by the front of the thread, or by the shared one under the lock ----------------------- */

static void *pool_allocate(struct node_allocator *self, size_t size)
{
    struct node_front *own = front_of_thread((struct pool *)self, size);
    if (own != NULL) {
        void *block = node_front_take(own, SIZE_CLASS_STEP);
        return block != NULL ? block : pool_take(self, own);
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = allocate_locked((struct pool *)self, size);
    allocator_step(self, (struct pool *)self);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void pool_release(struct node_allocator *self, void *block, size_t size)
{
    struct node_front *own = front_of_thread((struct pool *)self, size);
    if (own != NULL) {
        if (!node_front_push(own, block)) {
            pool_give(self, own, block);
        }
        return;
    }
    const bool locked = shared_lock(LOCK_HEAPS);
    release_locked((struct pool *)self, block, size);
    allocator_step(self, (struct pool *)self);
    shared_unlock(LOCK_HEAPS, locked);
}

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

/* A kept block, taken out of all lists of a class; NULL: it keeps none. */
static void *pop(struct pool *pool, struct pool_class *class)
{
    if (!pool->watched) {
        return magazines_pop(&class->depot);
    }
    void *block = take_kept(pool, class, &class->shared);
    if (block != NULL) {
        block_mark_live(true, block, class->shared.block_bytes);
    }
    return block;
}

static void pool_trim(struct node_allocator *self)
{
    struct pool *pool = (struct pool *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        for (struct node_front *at = class->depot.fronts; at != NULL && !pool->watched;
             at = at->next_front) {
            book(pool, class, at);
            magazines_flush(&class->depot, at);
        }
        for (void *block; (block = pop(pool, class)) != NULL; class->blocks--) {
            self->source->release(block);
            pw_assert(class->blocks > 0);
            pw_assert(pool->held_bytes >= class->spent_bytes);
            pool->held_bytes -= class->spent_bytes;
        }
    }
}

static void pool_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct pool *pool = (const struct pool *)self;
    out->kept_blocks = 0;
    out->live_blocks = pool->large_live;
    out->held_bytes = pool->held_bytes;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct pool_class *class = &pool->classes[i];
        const uint64_t unbooked = unbooked_blocks(class);
        const uint64_t kept = kept_blocks(class, class->blocks + unbooked);
        out->kept_blocks += kept;
        out->live_blocks += class->blocks + unbooked - kept;
        out->held_bytes += unbooked * class->spent_bytes;
    }
    out->held_bytes_max =
        out->held_bytes > pool->held_bytes_max ? out->held_bytes : pool->held_bytes_max;
}

static bool pool_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct pool *pool = (const struct pool *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct pool_class *class = &pool->classes[i];
        const uint64_t blocks = class->blocks + unbooked_blocks(class);
        if (magazines_blocks(&class->depot, blocks) > blocks) {
            snprintf(message, message_size,
                     "pool: %zu-byte class: the free lists do not hold at most the %llu blocks",
                     class->shared.block_bytes, (unsigned long long)blocks);
            return false;
        }
    }
    return true;
}

/* Each block is a separate malloc: glibc's size word, rounded up to two words, at least four. */
static double pool_bytes_per_block(const struct node_allocator *self, size_t size)
{
    size_t block = size > SIZE_CLASS_MAX ? size : size_class_bytes(size_class_of(size));
    return malloc_allocator.bytes_per_block(self, block);
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
