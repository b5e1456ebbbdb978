/*
 * call_counts.h - the malloc and free that bfs registers with the list and the queue: the C
 * library's, counted.
 *
 * Counts are per calling thread, so the difference around a search belongs to that search.
 */
#pragma once

#include <stdint.h>

struct call_counts {
    uint64_t malloc_calls; /* failed ones included */
    uint64_t free_calls;
};

/* Register the counting functions. Before the first list is created. */
void call_counts_register(void);

/* The calls of this thread so far. */
struct call_counts call_counts_now(void);
