/*
 * thread_number.c - see thread_number.h.
 */
#include "thread_number.h"
#include "base/pw_assert.h"
#include "shared_locks.h"
#include <pthread.h>
#include <stdint.h>

_Static_assert(THREAD_NUMBERS == 64, "a bit for each");

_Thread_local int thread_number_known = THREAD_NUMBER_UNASKED;

static uint64_t taken; /* under LOCK_HEAPS */
static pthread_key_t at_end;
static bool has_key; /* without it no thread could give its number back */

static void give_back(int number)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    pw_assert((taken >> number & 1) != 0);
    taken &= ~((uint64_t)1 << number);
    shared_unlock(LOCK_HEAPS, locked);
}

/* The end of a thread with a number. */
static void end_thread(void *ignored)
{
    (void)ignored;
    const int number = thread_number_known;
    thread_number_known = THREAD_NUMBER_NONE;
    give_back(number);
}

int thread_number_ask(void)
{
    int number = THREAD_NUMBER_NONE;
    const bool locked = shared_lock(LOCK_HEAPS);
    if (has_key && taken != UINT64_MAX) {
        number = __builtin_ctzll(~taken);
        taken |= (uint64_t)1 << number;
    }
    shared_unlock(LOCK_HEAPS, locked);
    if (number != THREAD_NUMBER_NONE && pthread_setspecific(at_end, &taken) != 0) {
        give_back(number);
        number = THREAD_NUMBER_NONE;
    }
    return thread_number_known = number;
}

__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&at_end, end_thread) == 0;
}

/* A library may be closed before its threads end. */
__attribute__((destructor)) static void delete_key(void)
{
    if (has_key) {
        pthread_key_delete(at_end);
    }
}
