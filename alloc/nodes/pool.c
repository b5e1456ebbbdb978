/*
 * pool.c - the allocator "pool": blocks that were each malloc'ed once, kept on a free list.
 *
 * 1. A request takes from its front's free list, else from the heap's, else it asks malloc.
 * 2. A release puts the block on the free list; a whole chain is spliced in, in O(1).
 * 3. Each thread has a front (node_front.h) with a free list of its own. An empty front gets 256
 *    blocks of the heap's list; one with 512 gives it 256. So LOCK_HEAPS is taken once for 256
 *    blocks; by a pool that grows twice per block. Only without a front is malloc called under it.
 * 4. order=lifo, the published one, reuses the block released last. Searches age: reuse scatters
 *    the nodes of a list, a little more each time. order=fifo, without fronts, reuses the block
 *    released first: a FIFO list and the free list are one ring whose order never changes.
 * 5. Under Memcheck or AddressSanitizer every block is a malloc and a free, which they watch.
 * Bound, per size: the most blocks ever alive at once, and 512 per further thread; 32 bytes per
 * 16-byte node with glibc; blocks above 512 bytes are not kept. Tried: sorting by address when no
 * block is alive; two lists per front: 2 % fewer instructions, 40 lines more.
 * Source: the challenge's custom allocator article.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include <stdio.h>

#define BATCH 256 /* blocks that go from a front to the heap, or back, at a time */

enum { ORDER_LIFO, ORDER_FIFO };
enum { OPTION_ORDER };

/* The blocks of one size. */
struct pool_class {
    void *free_list; /* linked by their first word */
    void **free_end; /* order=fifo: where the next block is linked in */
    size_t kept;     /* blocks on free_list */
    size_t blocks;   /* malloc'ed and not freed */
    size_t block_bytes;
    size_t spent_bytes; /* by malloc, for one block */
};

/* Changed under the lock. */
struct pool {
    struct node_allocator base;
    unsigned order;
    bool watched;         /* by Memcheck or AddressSanitizer */
    uint64_t direct_live; /* blocks straight from the source */
    uint64_t held_bytes;
    uint64_t held_bytes_max;
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
        class->spent_bytes = (size_t)pool_bytes_per_block(self, class->block_bytes);
    }
    return true;
}

/* True for blocks that come straight from the source, and go back at once. */
static bool is_direct(const struct pool *pool, size_t size)
{
    return size > SIZE_CLASS_MAX || pool->watched;
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
        *class->free_end = head;
        class->free_end = (void **)tail;
    } else {
        *(void **)tail = class->free_list;
        class->free_list = head;
    }
    class->kept += count;
}

/* A block from the free list, or NULL. */
static void *pop(struct pool_class *class)
{
    void *block = class->free_list;
    if (block != NULL) {
        class->free_list = *(void **)block;
        class->kept--;
    }
    if (class->free_list == NULL) {
        class->free_end = &class->free_list;
    }
    return block;
}

/* Count a block that came from the source. */
static void hold(struct pool *pool, size_t bytes)
{
    pool->held_bytes += bytes;
    if (pool->held_bytes > pool->held_bytes_max) {
        pool->held_bytes_max = pool->held_bytes;
    }
}

/* A block from malloc, or NULL. Takes the lock afterwards, unless this thread has it. */
static void *grow(struct pool *pool, struct pool_class *class)
{
    void *block = pool->base.source->allocate(class->block_bytes);
    if (block != NULL) {
        const bool locked = shared_lock(LOCK_HEAPS);
        class->blocks++;
        hold(pool, class->spent_bytes);
        shared_unlock(LOCK_HEAPS, locked);
    }
    return block;
}

/* Fronts: each is used by its own thread, and only there without the lock ---------------------- */

static bool pool_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (is_direct(pool, size) || pool->order != ORDER_LIFO) {
        return false;
    }
    front->block_bytes = class_of(pool, size)->block_bytes;
    front->kept_max = 2 * BATCH;
    const bool locked = shared_lock(LOCK_HEAPS);
    node_front_enter(&pool->fronts, front);
    shared_unlock(LOCK_HEAPS, locked);
    return true;
}

/* The block at which the first count blocks of a list end. */
static void **end_of(void *list, size_t count)
{
    void **last = list;
    for (size_t i = 1; i < count; i++) {
        last = *last;
    }
    return last;
}

/* Give an empty front a batch of the free list, or what there is. Its end is found by a walk over
 * the blocks that the front gives out next. */
static void load(struct pool_class *class, struct node_front *front)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    if (class->kept > 0) {
        front->kept = class->kept < BATCH ? class->kept : BATCH;
        front->free_list = class->free_list;
        void **last = end_of(front->free_list, front->kept);
        class->free_list = *last;
        class->kept -= front->kept;
        *last = NULL;
    }
    shared_unlock(LOCK_HEAPS, locked);
}

static void *pool_take(struct node_allocator *self, struct node_front *front)
{
    struct pool *pool = (struct pool *)self;
    struct pool_class *class = class_of(pool, front->block_bytes);
    pw_assert(front->free_list == NULL && front->kept == 0);
    load(class, front);
    void *block = node_front_take(front, front->block_bytes);
    if (block == NULL) {
        block = grow(pool, class);
    }
    allocator_step(self, pool);
    return block;
}

/* The batch that was given back last goes to the heap. A front that was opened for this call has
 * room, and only pushes. */
static void pool_give(struct node_allocator *self, struct node_front *front, void *block)
{
    struct pool *pool = (struct pool *)self;
    if (front->kept == front->kept_max) {
        void *head = front->free_list;
        void **last = end_of(head, BATCH);
        front->free_list = *last;
        front->kept -= BATCH;
        const bool locked = shared_lock(LOCK_HEAPS);
        push_chain(pool, class_of(pool, front->block_bytes), head, last, BATCH);
        shared_unlock(LOCK_HEAPS, locked);
    }
    node_front_push(front, block);
    allocator_step(self, pool);
}

static void pool_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                               size_t size)
{
    struct pool *pool = (struct pool *)self;
    if (is_direct(pool, size)) {
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
    if (front->kept > 0) {
        void *head = front->free_list;
        push_chain(pool, class, head, end_of(head, front->kept), front->kept);
    }
    node_front_leave(&pool->fronts, front);
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
}

static const struct node_front_type pool_fronts = {pool_open_front, pool_take, pool_give,
                                                   pool_give_chain, pool_close_front};

/* Blocks without a front ----------------------------------------------------------------------- */

static void *allocate_direct(struct pool *pool, size_t size)
{
    void *block = pool->base.source->allocate(size);
    if (block != NULL) {
        pool->direct_live++;
        hold(pool, (size_t)pool_bytes_per_block(&pool->base, size));
    }
    return block;
}

static void *allocate_kept(struct pool *pool, size_t size)
{
    struct pool_class *class = class_of(pool, size);
    void *block = pop(class);
    return block != NULL ? block : grow(pool, class);
}

static void *pool_allocate(struct node_allocator *self, size_t size)
{
    struct pool *pool = (struct pool *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    void *block = is_direct(pool, size) ? allocate_direct(pool, size) : allocate_kept(pool, size);
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
    return block;
}

static void pool_release(struct node_allocator *self, void *block, size_t size)
{
    struct pool *pool = (struct pool *)self;
    const bool locked = shared_lock(LOCK_HEAPS);
    if (is_direct(pool, size)) {
        pw_assert(pool->direct_live > 0 && pool->held_bytes >= size);
        pool->direct_live--;
        pool->held_bytes -= (size_t)pool_bytes_per_block(self, size);
        self->source->release(block);
    } else {
        push_chain(pool, class_of(pool, size), block, block, 1);
    }
    allocator_step(self, pool);
    shared_unlock(LOCK_HEAPS, locked);
}

/* The heap as a whole: nobody works on it ------------------------------------------------------ */

static void pool_trim(struct node_allocator *self)
{
    struct pool *pool = (struct pool *)self;
    while (pool->fronts != NULL) {
        pool_close_front(self, pool->fronts);
    }
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        struct pool_class *class = &pool->classes[i];
        for (void *block; (block = pop(class)) != NULL;) {
            pw_assert(class->blocks > 0);
            class->blocks--;
            pool->held_bytes -= class->spent_bytes;
            self->source->release(block);
        }
    }
}

static void pool_statistics(const struct node_allocator *self,
                            struct node_allocator_statistics *out)
{
    const struct pool *pool = (const struct pool *)self;
    out->live_blocks = pool->direct_live;
    out->kept_blocks = 0;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        out->live_blocks += pool->classes[i].blocks;
        out->kept_blocks += pool->classes[i].kept;
    }
    for (const struct node_front *front = pool->fronts; front != NULL; front = front->next) {
        out->kept_blocks += front->kept;
    }
    out->live_blocks -= out->kept_blocks;
    out->held_bytes = pool->held_bytes;
    out->held_bytes_max = pool->held_bytes_max;
}

static bool pool_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct pool *pool = (const struct pool *)self;
    for (size_t i = 0; i < SIZE_CLASS_COUNT; i++) {
        const struct pool_class *class = &pool->classes[i];
        size_t kept = 0;
        for (void *block = class->free_list; block != NULL && kept <= class->kept; kept++) {
            block = *(void **)block;
        }
        if (kept != class->kept || kept > class->blocks) {
            snprintf(message, message_size, "pool: a free list is miscounted");
            return false;
        }
    }
    return true;
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
