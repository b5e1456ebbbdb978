/*
 * pool.c - the allocator "pool": blocks that were each malloc'ed once, kept on a free list.
 *
 * 1. A request takes from the free list of its size, and asks malloc only when that is empty.
 * 2. A release puts the block on the free list; a whole chain is spliced in, in O(1).
 * 3. order=lifo, the published one, reuses the block released last. Repeated searches age: reuse
 *    scatters neighbours of a list over memory, a little more each time.
 *    order=fifo reuses the block released first. With a FIFO list, list and free list are then one
 *    ring whose order never changes, so nothing ages. A release stays inline: it adds to a batch,
 *    and a full batch is reversed and appended to the free list.
 *    order=address sorts the free list by address when a list is deleted and no block is alive: the
 *    same cure, paid at each deletion. It has no front.
 * Bound: the most blocks ever alive at once, 32 bytes per 16-byte node with glibc; blocks above 512
 * bytes are not kept. Source: the challenge's custom allocator article (lifo).
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include <stdio.h>

enum { ORDER_LIFO, ORDER_FIFO, ORDER_ADDRESS };
enum { OPTION_ORDER };

#define FIFO_BATCH 64

struct pool_class {
    struct node_front front; /* own.free_list is the free list; nothing is ever carved */
    struct node_page batch;  /* order=fifo: the last releases, at most FIFO_BATCH, newest first */
    void *last;              /* order=fifo: end of the free list; stale when that is empty */
    uint64_t blocks;         /* malloc'ed and not given back */
    uint64_t live;           /* kept only while the front is closed */
};

struct pool {
    struct node_allocator base;
    unsigned order;
    bool watched; /* by Memcheck or AddressSanitizer */
    uint64_t held_bytes;
    uint64_t held_bytes_max;
    uint64_t large_live; /* blocks above SIZE_CLASS_MAX, straight from the source */
    struct pool_class classes[SIZE_CLASS_COUNT];
    PW_DEBUG_ONLY(uint64_t steps;)
};

static const struct node_option options[] = {
    [OPTION_ORDER] = {"order", NODE_OPTION_CHOICE, "lifo", "lifo|fifo|address", 0, 0,
                      "which kept block is reused first; lifo ages, the others do not"},
    {.name = NULL},
};

static bool front_is_open(const struct pool *pool)
{
    return pool->order != ORDER_ADDRESS && !pool->watched;
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
        struct node_front *front = &pool->classes[i].front;
        front->block_bytes = size_class_bytes(i);
        front->page_base = (uintptr_t)&front->own; /* one page for all, never done */
        front->own.countdown = SIZE_MAX;
        if (pool->order == ORDER_FIFO) { /* one page for all, done when a batch is full */
            front->page_base = (uintptr_t)&pool->classes[i].batch;
            pool->classes[i].batch.countdown = FIFO_BATCH;
        }
    }
    return true;
}

/* The first block of a free list, made accessible to the caller; the list is not empty. */
static void *pop(struct pool_class *class, size_t size)
{
    void *block = class->front.own.free_list;
    pw_assert(block != NULL);
    block_mark_own(true, block, sizeof(void *));
    class->front.own.free_list = *(void **)block;
    block_mark_live(true, block, size);
    return block;
}

/* Append the chain from head to tail to the free list. */
static void append(struct pool_class *class, void *head, void *tail)
{
    pw_assert(head != NULL && tail != NULL);
    *(void **)tail = NULL;
    if (class->front.own.free_list == NULL) {
        class->front.own.free_list = head;
    } else {
        block_mark_own(true, class->last, sizeof(void *));
        *(void **)class->last = head;
        block_mark_dead(true, class->last, class->front.block_bytes);
    }
    class->last = tail;
}

/* The bytes that the source spends on a block, estimated for glibc's malloc: its size word and
 * rounding make 32 bytes of 16. */
static uint64_t spent_bytes(const struct pool *pool, size_t bytes)
{
    return (uint64_t)malloc_allocator.bytes_per_block(&pool->base, bytes);
}

/* Take a block from the source and book it as held; or NULL. */
static void *take_from_source(struct pool *pool, size_t bytes)
{
    void *block = pool->base.source->allocate(bytes);
    if (block != NULL) {
        pool->held_bytes += spent_bytes(pool, bytes);
        if (pool->held_bytes > pool->held_bytes_max) {
            pool->held_bytes_max = pool->held_bytes;
        }
    }
    return block;
}

/* Append the batch to the free list, the first released first. */
static void append_batch(struct pool_class *class)
{
    pw_assert(class->batch.countdown <= FIFO_BATCH);
    void *const last = class->batch.free_list; /* released last */
    void *reversed = NULL;
    for (void *block = last; block != NULL;) {
        void *next = *(void **)block;
        *(void **)block = reversed;
        reversed = block;
        block = next;
    }
    class->batch.free_list = NULL;
    class->batch.countdown = FIFO_BATCH;
    if (last != NULL) {
        append(class, reversed, last);
    }
}

static void *pool_allocate(struct node_allocator *self, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX) {
        void *large = take_from_source(pool, size);
        pool->large_live += large != NULL;
        return large;
    }
    struct pool_class *class = &pool->classes[size_class_of(size)];
    if (class->front.own.free_list == NULL) {
        append_batch(class);
    }
    if (class->front.own.free_list != NULL) {
        class->live++;
        return pop(class, size);
    }
    void *block = take_from_source(pool, class->front.block_bytes);
    if (block == NULL) {
        return NULL;
    }
    class->live++;
    class->blocks++;
    if (class->front.block_bytes > size && pool->watched) {
        block_mark_dead(true, (char *)block + size, class->front.block_bytes - size);
    }
    allocator_step(self, pool);
    return block;
}

static void pool_release(struct node_allocator *self, void *block, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX) {
        pw_assert(pool->large_live > 0 && pool->held_bytes >= size);
        pool->large_live--;
        pool->held_bytes -= spent_bytes(pool, size);
        self->source->release(block);
        return;
    }
    struct pool_class *class = &pool->classes[size_class_of(size)];
    pw_assert(class->blocks > 0 && (front_is_open(pool) || class->live > 0));
    class->live--;
    block_mark_room_for_link(true, block, size);
    if (pool->order == ORDER_FIFO) {
        append(class, block, block);
    } else {
        *(void **)block = class->front.own.free_list;
        class->front.own.free_list = block;
    }
    block_mark_dead(true, block, class->front.block_bytes);
    allocator_step(self, pool);
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
    for (void *block = class->front.own.free_list; block != NULL; block = *(void **)block) {
        block_mark_own(true, block, sizeof(void *));
        sorted = sorted && (uintptr_t)block > (uintptr_t)previous;
        low = (uintptr_t)block < low ? (uintptr_t)block : low;
        high = (uintptr_t)block > high ? (uintptr_t)block : high;
        previous = block;
    }
    if (!sorted) {
        uintptr_t differing = low ^ high; /* the addresses agree above its highest bit */
        for (unsigned shift = 4; shift < 8 * sizeof(uintptr_t) && differing >> shift; shift += 11) {
            class->front.own.free_list = sort_pass(class->front.own.free_list, shift);
        }
    }
    if (blocks_are_watched()) {
        for (void *block = class->front.own.free_list; block != NULL;) {
            void *next = *(void **)block;
            block_mark_dead(true, block, class->front.block_bytes);
            block = next;
        }
    }
}

static void pool_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX) {
        node_allocator_release_each(self, head, count, size);
        return;
    }
    struct pool_class *class = &pool->classes[size_class_of(size)];
    pw_assert(class->blocks >= count && (front_is_open(pool) || class->live >= count));
    if (pool->watched) { /* every block must be marked */
        node_allocator_release_each(self, head, count, size);
    } else if (count > 0 && pool->order == ORDER_FIFO) {
        append_batch(class);
        append(class, head, tail);
        class->live -= count;
    } else if (count > 0) {
        *(void **)tail = class->front.own.free_list;
        class->front.own.free_list = head;
        class->live -= count;
    }
    if (pool->order == ORDER_ADDRESS && class->live == 0) {
        sort_by_address(class);
    }
}

static struct node_front *pool_front(struct node_allocator *self, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (size > SIZE_CLASS_MAX || !front_is_open(pool)) {
        return NULL;
    }
    struct node_front *front = &pool->classes[size_class_of(size)].front;
    pw_assert(front->block_bytes >= size);
    return front;
}

static void pool_page_done(struct node_allocator *self, struct node_front *front, void *page)
{
    pw_assert((uintptr_t)page == front->page_base); /* the one page of the class */
    if (((struct pool *)self)->order == ORDER_FIFO) {
        append_batch((struct pool_class *)front);
    } else {
        ((struct node_page *)page)->countdown = SIZE_MAX;
    }
    allocator_step(self, (struct pool *)self);
}

static void pool_trim(struct node_allocator *self)
{
    struct pool *pool = (struct pool *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        append_batch(class);
        while (class->front.own.free_list != NULL) {
            self->source->release(pop(class, class->front.block_bytes));
            pw_assert(class->blocks > 0);
            pw_assert(pool->held_bytes >= spent_bytes(pool, class->front.block_bytes));
            class->blocks--;
            pool->held_bytes -= spent_bytes(pool, class->front.block_bytes);
        }
    }
}

/* Blocks on the lists of a class; more than the class has if a list loops. */
static uint64_t kept_blocks(const struct pool_class *class)
{
    uint64_t kept = 0;
    if (blocks_are_watched()) { /* links of dead blocks are out of bounds; live is exact instead */
        return class->blocks - class->live;
    }
    void *const lists[] = {class->front.own.free_list, class->batch.free_list};
    for (size_t i = 0; i < 2; i++) {
        for (void *block = lists[i]; block != NULL && kept <= class->blocks;) {
            kept++;
            block = *(void **)block;
        }
    }
    return kept;
}

static void pool_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct pool *pool = (const struct pool *)self;
    out->kept_blocks = 0;
    out->live_blocks = pool->large_live;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        uint64_t kept = kept_blocks(&pool->classes[i]);
        out->kept_blocks += kept;
        out->live_blocks += pool->classes[i].blocks - kept;
    }
    out->held_bytes = pool->held_bytes;
    out->held_bytes_max = pool->held_bytes_max;
}

static bool pool_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct pool *pool = (const struct pool *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct pool_class *class = &pool->classes[i];
        uint64_t kept = kept_blocks(class);
        if (kept > class->blocks) {
            snprintf(message, message_size,
                     "pool: %zu-byte class: the free list holds more than the %llu blocks",
                     class->front.block_bytes, (unsigned long long)class->blocks);
            return false;
        }
        if (!front_is_open(pool) && kept + class->live != class->blocks) {
            snprintf(message, message_size,
                     "pool: %zu-byte class: %llu kept and %llu live of %llu blocks",
                     class->front.block_bytes, (unsigned long long)kept,
                     (unsigned long long)class->live, (unsigned long long)class->blocks);
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
    .instance_bytes = sizeof(struct pool),
    .options = options,
    .bytes_per_block = pool_bytes_per_block,
    .create = pool_create,
    .allocate = pool_allocate,
    .release = pool_release,
    .release_chain = pool_release_chain,
    .front = pool_front,
    .page_done = pool_page_done,
    .trim = pool_trim,
    .statistics = pool_statistics,
    .check = pool_check,
    .destroy = pool_trim,
};
