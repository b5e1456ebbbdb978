/*
 * shared_locks.h - the two locks of the process: one for the list of lists, one for all heaps.
 *
 * 1. A heap takes its lock when a page, a batch of blocks or a chunk changes its owner, and never
 *    for a block that a front serves. So one lock is enough for all heaps of a process.
 * 2. Whoever needs both takes LOCK_LISTS first.
 * 3. In a process that has never had a second thread nothing is locked, if the C library says so.
 * 4. fork waits for both, so that the child finds every structure whole and both locks free.
 */
#pragma once

#include "base/single_threaded.h"
#include <stdbool.h>

enum shared_lock {
    LOCK_LISTS, /* list of lists, choice of the allocator, calls of one that is not thread-safe */
    LOCK_HEAPS,
    LOCK_COUNT
};

bool shared_locks_take(enum shared_lock which);
void shared_locks_give(enum shared_lock which);

/* Take a lock. Pass what it returns to shared_unlock: false if there was nothing to lock out, or if
 * this thread has the lock: a wrapper asks the heap inside under the lock of heaps. */
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

/*
 * Rule 4, at the start of the process. Who holds a lock of his own while he asks a heap, and holds
 * it across fork too, calls this before his pthread_atfork: what is registered last is held first.
 */
void shared_locks_hold_across_fork(void);
