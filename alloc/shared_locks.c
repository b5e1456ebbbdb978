/*
 * shared_locks.c - see shared_locks.h.
 */
#include "shared_locks.h"
#include "base/pw_assert.h"
#include <pthread.h>

/* With glibc they spin before they sleep: most holders need some ten nanoseconds, and give the
 * lock back meanwhile; a new chunk, and pool's walk of 256 blocks, take longer. */
#ifndef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#endif

/* Each in a cache line of its own. */
static struct {
    _Alignas(64) pthread_mutex_t mutex;
} locks[] = {[LOCK_LISTS] = {PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP},
             [LOCK_HEAPS] = {PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP}};

static _Thread_local bool has_lock[LOCK_COUNT]; /* by this thread */

bool shared_locks_take(enum shared_lock which)
{
    pw_assert(which < LOCK_COUNT);
    if (has_lock[which]) {
        return false;
    }
    has_lock[which] = pthread_mutex_lock(&locks[which].mutex) == 0;
    return has_lock[which];
}

void shared_locks_give(enum shared_lock which)
{
    pw_assert(which < LOCK_COUNT);
    has_lock[which] = false;
    pthread_mutex_unlock(&locks[which].mutex);
}
