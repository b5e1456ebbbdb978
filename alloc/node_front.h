/*
 * node_front.h - takes and gives a block without a call and without a lock: the inline half of an
 * allocator. Each list has a front of its own, and whoever uses the list uses the front.
 *
 * 1. A taker pops the free list; if that is empty it carves the next block, in address order, from
 *    carve..carve_end; if that is empty too it calls the allocator (front.take).
 * 2. A giver whose block follows the one given back before it, as the blocks of a FIFO list do,
 *    only moves the end of the run: the block's memory, which nobody will read again, stays clean.
 * 3. Any other block is pushed on the free list while that has room (kept below keep); else, and at
 *    the last block of a run, the allocator is called (front.give).
 * 4. The allocator's calls move whole pages or batches between front and heap. Only they lock.
 * 5. A fork may find a thread between any two stores. What its child has then is sound but for the
 *    counts: the links of a block are set before anything leads to it.
 * Cost: two loads and two or three stores to take; two loads and a store to give in order. An
 * allocator opens no front under Valgrind or AddressSanitizer, where every block must be marked.
 */
#ifndef PW_NODE_FRONT_H
#define PW_NODE_FRONT_H

#include "node_allocator.h"

#define NODE_FRONT_AHEAD 512 /* bytes ahead of the carved block to fetch: they may be cold */

struct node_front {
    void *free_list;      /* blocks given back, last in, first out, linked by their first word */
    unsigned char *carve; /* the next block not given out since its page was opened */
    unsigned char *carve_end;
    unsigned char *run;      /* the next block of the run that comes back; NULL if there is none */
    unsigned char *run_last; /* the block of the run for which the allocator is called */
    size_t kept;             /* blocks on the free list */
    size_t keep;             /* the most that a giver may bring it to; 0: it pushes none */
    size_t block_bytes;      /* the size of a block rounded up to NODE_ALIGNMENT; two neighbours
                                 are so far apart */
    void *own[4];            /* the allocator's */
    size_t own_count[2];
    struct node_front *next_front, *previous_front;
};

/* A block, or NULL when the allocator must be asked. block_bytes: the front's, which the caller may
 * know as a constant. A front of all zeros is closed, and has none. */
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

/* The stores before it are done first: for the compiler, because fork stops the processor. */
static inline void node_front_fence(void)
{
    __atomic_signal_fence(__ATOMIC_ACQ_REL);
}

/* Push a block that continues no run. False, and nothing is done: the allocator must be called. */
static inline bool node_front_push(struct node_front *front, void *block)
{
    if (front->kept < front->keep) {
        *(void *volatile *)block = front->free_list; /* in this order, see 5 */
        *(void *volatile *)&front->free_list = block;
        front->kept++;
        return true;
    }
    return false;
}

/* Give a block back. False, and nothing is done: the allocator must be called for it. */
static inline bool node_front_give(struct node_front *front, void *block, size_t block_bytes)
{
    if ((unsigned char *)block == front->run && front->run != front->run_last) {
        front->run = (unsigned char *)block + block_bytes;
        return true;
    }
    return node_front_push(front, block);
}

/*
 * How many blocks of a chain, linked by their first words, one call of node_front_give_run can take
 * back: they lie side by side and continue the run. 0: not even the first.
 */
static inline size_t node_front_run(const struct node_front *front, void *first, size_t count,
                                    size_t block_bytes)
{
    if ((unsigned char *)first != front->run || front->run == front->run_last) {
        return 0;
    }
    const size_t left = (size_t)(front->run_last - front->run) / block_bytes;
    const size_t limit = count < left ? count : left;
    unsigned char *block = (unsigned char *)first;
    unsigned char *const last = block + (limit - 1) * block_bytes;
    while (block != last && *(unsigned char **)block == block + block_bytes) {
        block += block_bytes;
    }
    return (size_t)(block - (unsigned char *)first) / block_bytes + 1;
}

/* Give such a run back: the same as each block by itself. */
static inline void node_front_give_run(struct node_front *front, size_t run, size_t block_bytes)
{
    front->run += run * block_bytes;
}

/* Blocks that the front holds and has not given out. */
static inline size_t node_front_blocks(const struct node_front *front)
{
    return front->kept + (front->carve == NULL
                              ? 0
                              : (size_t)(front->carve_end - front->carve) / front->block_bytes);
}

#endif
