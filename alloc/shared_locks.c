/*
 * shared_locks.c - see shared_locks.h.
 */
#include "shared_locks.h"
#include "base/pw_assert.h"
#include <pthread.h>

/* With glibc they spin before they sleep: what they guard takes some ten nanoseconds, so that a
 * holder who was not interrupted gives the lock back meanwhile. */
#ifndef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#endif

#define INITIALIZER                                                                                \
    {                                                                                              \
        PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP                                                      \
    }
#define FOUR_INITIALIZERS INITIALIZER, INITIALIZER, INITIALIZER, INITIALIZER

/* Each in a cache line of its own. */
static struct {
    _Alignas(64) pthread_mutex_t mutex;
} locks[LOCK_COUNT] = {INITIALIZER,       FOUR_INITIALIZERS, FOUR_INITIALIZERS,
                       FOUR_INITIALIZERS, FOUR_INITIALIZERS, INITIALIZER};
_Static_assert(LOCK_COUNT == 18, "an initializer for each");

static _Thread_local bool has_lock[LOCK_COUNT]; /* by this thread */
static bool has_threads, were_forked;           /* at a fork; in a child of one with threads */

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

static void lock_all(void)
{
    has_threads = has_threads || !is_single_threaded();
    for (int i = 0; i < LOCK_COUNT; i++) {
        pthread_mutex_lock(&locks[i].mutex);
    }
}

static void unlock_all(void)
{
    for (int i = LOCK_COUNT; i-- > 0;) {
        pthread_mutex_unlock(&locks[i].mutex);
    }
}

static void start_child(void)
{
    were_forked = has_threads;
    unlock_all();
}

bool shared_locks_were_forked(void)
{
    return were_forked;
}

/* A failure here means no memory at the start of the process: then fork is as it is without us. */
__attribute__((constructor)) static void hold_across_fork(void)
{
    (void)pthread_atfork(lock_all, unlock_all, start_child);
}
