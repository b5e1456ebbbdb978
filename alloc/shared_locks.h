/*
 * shared_locks.h - the two locks of the process: for the choice of the allocator, and for heaps.
 *
 * 1. A heap takes LOCK_HEAPS when a page, a list of blocks or a chunk goes to a front or comes
 *    back, and never for a block that a front serves. So one lock is enough for all heaps of a
 *    process.
 * 2. A thread that needs both takes LOCK_LISTS first.
 * 3. In a process that has never had a second thread nothing is locked, if the C library says so.
 * A child of a process with threads may find a lock taken, and fronts of threads that it does not
 * have: by POSIX it calls exec, or ends. Threads that were joined before the fork do no harm.
 */
#pragma once

#include "base/single_threaded.h"
#include <stdbool.h>

enum shared_lock {
    LOCK_LISTS, /* the choice of the allocator, the list of threads, an allocator for one thread */
    LOCK_HEAPS, /* what the fronts of a heap share */
    LOCK_COUNT
};

bool shared_locks_take(enum shared_lock which);
void shared_locks_give(enum shared_lock which);

/* Take a lock. Pass what it returns to shared_unlock: false if there was nothing to lock out, or if
 * this thread has the lock. A memory source must not use lists: slab asks it under LOCK_HEAPS. */
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
