/*
 * thread_number.h - a small number for each thread, so that a heap can keep something per thread in
 * an array.
 *
 * 1. A thread gets the least free number when it first asks, and gives it back at its end. So the
 *    next thread goes on with what the one before left under that number.
 * 2. Numbers are given and taken back under LOCK_HEAPS, which orders what threads wrote.
 * 3. More threads at once than there are numbers have none, nor has a thread that is ending.
 * 4. After a fork the numbers of the threads that the child does not have stay taken: they may have
 *    been in the midst of a step.
 */
#pragma once

#define THREAD_NUMBERS 64

enum { THREAD_NUMBER_NONE = -1, THREAD_NUMBER_UNASKED = -2 };

extern _Thread_local int thread_number_known __attribute__((visibility("hidden")));

/* Ask for a number. */
int thread_number_ask(void);

/* The number of this thread, from 0 on, or THREAD_NUMBER_NONE. */
static inline int thread_number(void)
{
    const int known = thread_number_known;
    return known != THREAD_NUMBER_UNASKED ? known : thread_number_ask();
}
