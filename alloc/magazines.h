/*
 * magazines.h - blocks that are kept for reuse: two lists of 128 per front, and a depot of chains
 * for all fronts of a size.
 *
 * 1. A front takes from and gives to its free list, the loaded magazine. If that is full or empty,
 *    the second one, which is full or empty, takes its place.
 * 2. If neither helps, a magazine goes to the depot or comes from it: one lock per 128 blocks.
 * 3. In the depot lie chains of any length: the nodes of a deleted list come back in O(1). The
 *    first word of each block links the next one. The second word of the first block links the next
 *    chain, the second word of the second block counts the blocks of the chain.
 * 4. Last in, first out throughout, so one front by itself is one stack. With is_fifo, blocks given
 *    back wait in a list of their own, and chains are a queue: first in, first out.
 * Cost: O(1) for a whole magazine. Cutting one off a longer chain walks 128 links, of blocks that
 * are needed next. Bound: a front keeps 256 blocks. Source: Bonwick and Adams, "Magazines and Vmem"
 * (2001).
 */
#pragma once

#include "base/single_threaded.h"
#include "node_front.h"
#include "size_class.h"
#include "thread_number.h"

#define MAGAZINE_BLOCKS 128

/* One per size; its heap's lock is held for each call that gets one. */
struct magazine_depot {
    void *first;               /* the first block of the first chain; NULL: no chain */
    void *last;                /* the first block of the last chain; meaningless without a chain */
    struct node_front *shared; /* of the heap's allocate and release: the first that is opened */
    struct node_front *fronts; /* all that are open */
    bool is_fifo;
    bool is_watched; /* by a checker: nothing is stored here, fronts keep all and mark each link */
};

/* What own and own_count of a front hold. */
enum {
    MAGAZINE_SECOND, /* the second magazine, full; NULL: empty */
    MAGAZINE_OLDEST, /* is_fifo: the first and the last of the blocks given back; NULL: none */
    MAGAZINE_YOUNGEST
};
enum { MAGAZINE_WAITING }; /* is_fifo: their number */

/* Open a front and enter it in the depot; blocks of block_bytes, at least two words. */
void magazines_open(struct magazine_depot *depot, struct node_front *front, size_t block_bytes);

/* Open the front of a thread, for blocks of the least size. Takes the lock itself. Returns the
 * front. */
struct node_front *magazines_open_of_thread(struct magazine_depot *depot, struct node_front *front);

/* The front of this thread, of threads[THREAD_NUMBERS], for blocks of this size that a heap's
 * allocate gives: these need no lock then. NULL: there is none. */
static inline struct node_front *magazines_of_thread(struct magazine_depot *depot,
                                                     struct node_front *threads, size_t size)
{
    if (size > SIZE_CLASS_STEP || is_single_threaded() || depot->is_watched) {
        return NULL;
    }
    const int number = thread_number();
    if (number == THREAD_NUMBER_NONE) {
        return NULL;
    }
    struct node_front *front = &threads[number];
    return front->block_bytes != 0 ? front : magazines_open_of_thread(depot, front);
}

/* Load the second magazine. False: it is empty, and the depot must be asked. */
static inline bool magazines_swap(struct node_front *front)
{
    if (front->own[MAGAZINE_SECOND] == NULL) {
        return false;
    }
    front->free_list = front->own[MAGAZINE_SECOND];
    front->kept = MAGAZINE_BLOCKS;
    node_front_fence();
    front->own[MAGAZINE_SECOND] = NULL;
    return true;
}

/* Load what the depot has, or the shared front keeps. False: there is nothing. */
bool magazines_load_some(struct magazine_depot *depot, struct node_front *front);

/* The same; inline for the case that there is nothing, which each new block of a pool meets. */
static inline bool magazines_load(struct magazine_depot *depot, struct node_front *front)
{
    const struct node_front *shared = depot->shared;
    const bool has_some =
        depot->first != NULL || shared->free_list != NULL || shared->own[MAGAZINE_SECOND] != NULL ||
        shared->own[MAGAZINE_OLDEST] != NULL || front->own[MAGAZINE_OLDEST] != NULL;
    return has_some && magazines_load_some(depot, front);
}

/* Keep a block in the front, after node_front_give did not. False: the depot must take some. */
bool magazines_keep(const struct magazine_depot *depot, struct node_front *front, void *block);

/* Give a magazine to the depot and keep the block, after keep could not. */
void magazines_store(struct magazine_depot *depot, struct node_front *front, void *block);

/* Take back a block of the heap's release: the shared front's, and if need be the depot's. */
void magazines_release(struct magazine_depot *depot, void *block);

/* In the child of a fork, a front that a thread was changing: make its counts right, and end the
 * half of an exchange of its magazines. */
void magazines_settle(const struct magazine_depot *depot, struct node_front *front);

/* The blocks that a front has on its lists. */
uint64_t magazines_kept(const struct node_front *front);

/* Give all blocks of a front to the depot. */
void magazines_flush(struct magazine_depot *depot, struct node_front *front);

/* The same, and then the chain of count blocks from head to tail, perhaps none. */
void magazines_give_chain(struct magazine_depot *depot, struct node_front *front, void *head,
                          void *tail, size_t count);

/* Take a flushed front out of the depot. It is all zeros then. */
void magazines_close(struct magazine_depot *depot, struct node_front *front);

/* The memory of a front's blocks goes: it forgets them, and stays open. */
void magazines_forget(struct node_front *front);

/* A block out of the depot, or NULL. For a heap that gives its blocks back. */
void *magazines_pop(struct magazine_depot *depot);

/* The blocks on the lists of depot and open fronts; more than most if a list loops or a count is
 * wrong. */
uint64_t magazines_blocks(const struct magazine_depot *depot, uint64_t most);
