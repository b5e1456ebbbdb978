/*
 * shared_locks.h - the locks of the process: for the list of lists, for all heaps, for pages of
 * fronts.
 *
 * 1. A heap takes its lock when a page, a batch of blocks or a chunk changes its owner, and never
 *    for a block that a front serves. So one lock is enough for all heaps of a process.
 * 2. A thread has one of the LOCK_FRONTS while it moves pages of its own front. Nobody waits for it
 *    but fork, and who shares it by chance.
 * 3. Whoever needs several takes them in the order of enum shared_lock.
 * 4. In a process that has never had a second thread nothing is locked, if the C library says so.
 * 5. fork waits for all, so that the child finds every structure whole and all locks free. Only
 *    what is done without a lock may be half done, by a thread that the child does not have. What
 *    looks at all fronts asks shared_locks_were_forked, and forgives that.
 */
#pragma once

#include "base/single_threaded.h"
#include <stdbool.h>

#define FRONT_LOCKS 16 /* a power of two */

enum shared_lock {
    LOCK_LISTS,  /* list of lists, choice of the allocator, calls of one that is not thread-safe */
    LOCK_FRONTS, /* and the next ones: by the number of the thread */
    LOCK_HEAPS = LOCK_FRONTS + FRONT_LOCKS,
    LOCK_COUNT
};

bool shared_locks_take(enum shared_lock which);
void shared_locks_give(enum shared_lock which);

/* Take a lock. Pass what it returns to shared_unlock: false if there was nothing to lock out, or if
 * this thread has the lock: the memory source of a heap may use lists. */
static inline bool shared_lock(enum shared_lock which)
{
    return !is_single_threaded() && shared_locks_take(which);
}

/* is_locked is what lock returned: the process may have got its second thread in between. */
static inline void shared_unlock(enum shared_lock which, bool is_locked)
{
    if (is_locked) {
        shared_locks_give(which);
    }
}

/* True in the child of a process that had threads. */
bool shared_locks_were_forked(void);
