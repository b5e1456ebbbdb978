/*
 * parallel.h - the same work on several threads.
 *
 * The work is cut into pieces that the threads take from a shared counter, so it is done whatever
 * the number of threads that the system grants.
 */
#pragma once

/* The number of threads to use: wanted, or for 0 one per processor that is online. */
unsigned parallel_count(unsigned wanted);

/* One thread's work; number: below count, a different one for each thread. */
typedef void parallel_work(void *context, unsigned number);

/*
 * Run work with number 0 in this thread, and with 1 to count - 1 in threads of their own, fewer
 * where the system has no more. Returns when all have returned.
 */
void parallel_run(unsigned count, parallel_work *work, void *context);
