/*
 * timed_calls.h - one request and one release, each timed with the processor's counter.
 *
 * Only the call lies between the two readings of the clock, whose own cost is subtracted.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "cycle_clock.h"

/* A request; *ticks grows by its time. NULL: it failed. */
void *timed_allocate(const struct cycle_clock *clock, struct node_allocator *allocator, size_t size,
                     uint64_t *ticks);

void timed_release(const struct cycle_clock *clock, struct node_allocator *allocator, void *block,
                   size_t size, uint64_t *ticks);

/*
 * Repeat a request and its release. ns: of all requests, then of all releases. False: a request
 * failed.
 */
bool timed_pairs(const struct cycle_clock *clock, struct node_allocator *allocator, size_t size,
                 uint64_t repeats, double ns[2]);
