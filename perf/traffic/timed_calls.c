/*
 * timed_calls.c - see timed_calls.h.
 *
 * The timed functions are separate, so that all they need is in registers: the compiler puts no
 * load and no store between the two readings of the clock.
 */
#include "timed_calls.h"

__attribute__((noinline)) void *timed_allocate(const struct cycle_clock *clock,
                                               struct node_allocator *allocator, size_t size,
                                               uint64_t *ticks)
{
    void *(*allocate)(struct node_allocator *, size_t) = allocator->type->allocate;
    uint64_t start = cycle_clock_now();
    void *block = allocate(allocator, size);
    uint64_t end = cycle_clock_now();
    *ticks += cycle_clock_between(clock, start, end);
    return block;
}

__attribute__((noinline)) void timed_release(const struct cycle_clock *clock,
                                             struct node_allocator *allocator, void *block,
                                             size_t size, uint64_t *ticks)
{
    void (*release)(struct node_allocator *, void *, size_t) = allocator->type->release;
    uint64_t start = cycle_clock_now();
    release(allocator, block, size);
    uint64_t end = cycle_clock_now();
    *ticks += cycle_clock_between(clock, start, end);
}

bool timed_pairs(const struct cycle_clock *clock, struct node_allocator *allocator, size_t size,
                 uint64_t repeats, double ns[2])
{
    uint64_t allocate_ticks = 0;
    uint64_t release_ticks = 0;
    for (uint64_t n = 0; n < repeats; n++) {
        void *block = timed_allocate(clock, allocator, size, &allocate_ticks);
        if (block == NULL) {
            return false;
        }
        timed_release(clock, allocator, block, size, &release_ticks);
    }
    ns[0] = (double)allocate_ticks * clock->ns_per_tick;
    ns[1] = (double)release_ticks * clock->ns_per_tick;
    return true;
}
