/*
 * node_front.h - takes and gives a block without a call and without a lock: the inline half of an
 * allocator. A front belongs to one thread and has blocks of one size.
 *
 * 1. A taker pops the free list; if that is empty it carves the next block, in address order, from
 *    carve..carve_end; if that is empty too it calls the allocator (take).
 * 2. A giver whose block follows the block given back before it, as the blocks of a FIFO list do,
 *    only moves the end of the run: the block itself is not written.
 * 3. Any other block is pushed on the free list while that has room (kept_max: slab 0 blocks, pool
 *    512). Else the allocator is called (give), and settles the run or the list with the heap. Only
 *    the allocator locks.
 * A block may come back through any front of its size: each thread uses its own. A front of all
 * zeros is closed: it gives and takes no block, so that the allocator is called, and may open it.
 * Cost: three loads and one or two stores to take; one load and a store to give in order. An
 * allocator opens no front under Memcheck or AddressSanitizer, which must see every block.
 */
#ifndef PW_NODE_FRONT_H
#define PW_NODE_FRONT_H

#include "node_allocator.h"

#define NODE_FRONT_AHEAD   512  /* bytes ahead of the carved block to fetch: they may be cold */
#define NODE_FRONT_RUN_MAX 4096 /* blocks of a chain that one call takes back */

struct node_front {
    void *free_list;      /* blocks given back, last in, first out, linked by their first word */
    unsigned char *carve; /* the next block not given out since its page was opened */
    unsigned char *carve_end;
    unsigned char *run_end;   /* the block that would continue the run; NULL: there is no run */
    unsigned char *run_first; /* the block that began the run */
    size_t kept;              /* blocks on the free list */
    size_t kept_max;          /* the most that a giver may bring it to; 0: it pushes no block */
    size_t block_bytes;       /* from a block to its neighbour; 0: the front is closed */
    struct node_front *next, *previous; /* the open fronts of a heap */
};

/* A block, or NULL when the allocator must be asked. block_bytes: the front's, which the caller may
 * know as a constant. */
static inline void *node_front_take(struct node_front *front, size_t block_bytes)
{
    void *block = front->free_list;
    if (block != NULL) {
        front->free_list = *(void **)block;
        front->kept--;
        return block;
    }
    unsigned char *carved = front->carve;
    if (carved != front->carve_end) {
        __builtin_prefetch(carved + NODE_FRONT_AHEAD, 1);
        front->carve = carved + block_bytes;
        return carved;
    }
    return NULL;
}

/* Push a block that continues no run. False, and nothing is done: the allocator must be called. */
static inline bool node_front_push(struct node_front *front, void *block)
{
    if (front->kept < front->kept_max) {
        *(void **)block = front->free_list;
        front->free_list = block;
        front->kept++;
        return true;
    }
    return false;
}

/* Give a block back. False, and nothing is done: the allocator must be called for it. */
static inline bool node_front_give(struct node_front *front, void *block, size_t block_bytes)
{
    if ((unsigned char *)block == front->run_end) {
        front->run_end = (unsigned char *)block + block_bytes;
        return true;
    }
    return node_front_push(front, block);
}

/*
 * How many blocks of a chain, linked by their first words, one call of node_front_give_run can take
 * back: they lie side by side and continue the run. 0: not even the first.
 */
static inline size_t node_front_run_length(const struct node_front *front, void *first,
                                           size_t count, size_t block_bytes)
{
    if ((unsigned char *)first != front->run_end) {
        return 0;
    }
    const size_t limit = count < NODE_FRONT_RUN_MAX ? count : NODE_FRONT_RUN_MAX;
    unsigned char *block = (unsigned char *)first;
    unsigned char *const last = block + (limit - 1) * block_bytes;
    while (block != last && *(unsigned char **)block == block + block_bytes) {
        block += block_bytes;
    }
    return (size_t)(block - (unsigned char *)first) / block_bytes + 1;
}

/* Give such a run back, as node_front_give does block by block. */
static inline void node_front_give_run(struct node_front *front, size_t count, size_t block_bytes)
{
    front->run_end += count * block_bytes;
}

#endif
