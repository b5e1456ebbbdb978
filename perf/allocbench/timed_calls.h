/*
 * timed_calls.h - one request and one release, each timed with the processor's counter.
 *
 * Only the call lies between the two readings of the clock, whose own cost is subtracted.
 */
#ifndef PW_TIMED_CALLS_H
#define PW_TIMED_CALLS_H

#include "alloc/node_allocator.h"
#include "cycle_clock.h"

/* A request; *ticks grows by what it took. NULL: it failed. */
static inline void *timed_allocate(const struct cycle_clock *clock,
                                   struct node_allocator *allocator, size_t size, uint64_t *ticks)
{
    uint64_t start = cycle_clock_now();
    void *block = node_allocator_allocate(allocator, size);
    uint64_t end = cycle_clock_now();
    *ticks += cycle_clock_between(clock, start, end);
    return block;
}

static inline void timed_release(const struct cycle_clock *clock, struct node_allocator *allocator,
                                 void *block, size_t size, uint64_t *ticks)
{
    uint64_t start = cycle_clock_now();
    node_allocator_release(allocator, block, size);
    uint64_t end = cycle_clock_now();
    *ticks += cycle_clock_between(clock, start, end);
}

#endif
