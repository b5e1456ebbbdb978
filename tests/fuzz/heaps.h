/*
 * heaps.h - the allocators for testing the list and the queue: every one that opens without a file
 * and gives blocks, in small regions, so that opening one is cheap.
 */
#pragma once

#include "fuzz.h"
#include "liblist/linked_list_more.h"

static const struct heap_choice {
    const char *specification;
    bool small; /* its region may run out */
} heap_choices[] = {
    {"malloc", false},
    {"pool", false},
    {"pool:order=fifo", false},
    {"slab:chunk=64K", false},
    {"slab:chunk=100000", false},
    {"first-fit:heap=16K", true},
    {"first-fit32:heap=16K", true},
    {"block:heap=1M", true},
    {"block:heap=1M,small=no", true},
    {"block:heap=1M,places=yes", true},
    {"bump:heap=16K,touch=no", true},
    {"lib", false},
    {"quick-fit:heap=64K", true},
    {"quick-fit(malloc)", false},
    {"no-free(slab,chunk=64K)", false},
    {"count(slab,chunk=64K)", false},
    {"count(pool)", false},
    {"record(first-fit,heap=16K)", true},
    {"fault(slab,chunk=64K,at=3)", true},
    {"count(fault(pool,at=5,run=2))", true},
};

static const struct heap_choice *heap_chosen;

static inline bool heap_is_small(void)
{
    return heap_chosen->small;
}

/* The allocator that the next byte chooses. */
static inline const struct heap_choice *heap_pick(struct fuzz_input *input)
{
    size_t count = sizeof(heap_choices) / sizeof(heap_choices[0]);
    return &heap_choices[fuzz_take(input) % count];
}

/* Use it for lists. */
static inline void heap_choose(struct fuzz_input *input)
{
    heap_chosen = heap_pick(input);
    fuzz_require_for(linked_list_set_allocator(heap_chosen->specification), linked_list_error());
}

/* Give back everything that is kept. */
static inline void heap_leave(void)
{
    fuzz_require_for(linked_list_set_allocator("malloc"), linked_list_error());
}
