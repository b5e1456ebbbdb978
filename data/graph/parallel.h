/*
 * parallel.h - the same work on several threads.
 */
#pragma once

#include <stddef.h>

/* The number of threads to use: wanted, or for 0 one per processor that is online. */
unsigned parallel_count(unsigned wanted);

/* One thread's work; number: below count, a different one for each thread. */
typedef void parallel_work(void *context, unsigned number);

/*
 * Run work with number 0 in this thread, and with 1 to count - 1 in new threads; fewer if the
 * system has no more. Returns when all have returned.
 */
void parallel_run(unsigned count, parallel_work *work, void *context);

/* A piece of the work, done by the thread with that number. */
typedef void parallel_piece(void *context, unsigned number, size_t index);

/*
 * Do the pieces 0 to count - 1 with that many threads, or one per piece. They take pieces one by
 * one in ascending order, so all are done even if the system grants fewer threads.
 */
void parallel_each(unsigned threads, size_t count, parallel_piece *piece, void *context);
