/*
 * ring_traffic.c - rounds of requests, the oldest freed when the ring is full.
 */
#include "ring_traffic.h"
#include <string.h>

#define PAGE_STEP 4096 /* no system's pages are smaller */

static bool one_round(struct node_allocator *allocator, const uint32_t *sizes, void **blocks,
                      enum ring_touch touch, bool may_fail)
{
    for (size_t i = 0; i < RING_PER_ROUND; i++) {
        void *block = node_allocator_allocate(allocator, sizes[i]);
        blocks[i] = block;
        if (block == NULL) {
            if (!may_fail) {
                return false;
            }
        } else if (touch == RING_TOUCH_FIRST) {
            *(volatile char *)block = 1;
        } else if (touch == RING_TOUCH_ALL) {
            memset(block, 1, sizes[i]);
        } else if (touch == RING_TOUCH_PAGES) {
            for (size_t at = 0; at < sizes[i]; at += PAGE_STEP) {
                ((volatile char *)block)[at] = 1;
            }
            ((volatile char *)block)[sizes[i] - 1] = 1;
        }
    }
    return true;
}

static void release_round(struct node_allocator *allocator, const uint32_t *sizes, void **blocks)
{
    for (size_t i = 0; i < RING_PER_ROUND; i++) {
        node_allocator_release(allocator, blocks[i], sizes[i]);
    }
}

bool ring_traffic_round(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                        size_t round, enum ring_touch touch, bool may_fail)
{
    static void *ring[RING_BLOCKS];
    void **blocks = ring + round % RING_ROUNDS * RING_PER_ROUND;
    if (round >= RING_ROUNDS) {
        release_round(allocator, sizes + (round - RING_ROUNDS) * RING_PER_ROUND, blocks);
    }
    return round >= count / RING_PER_ROUND ||
           one_round(allocator, sizes + round * RING_PER_ROUND, blocks, touch, may_fail);
}

bool ring_traffic_run(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                      enum ring_touch touch, bool may_fail)
{
    const size_t rounds = count / RING_PER_ROUND + RING_ROUNDS;
    bool done = true;
    for (size_t round = 0; done && round < rounds; round++) {
        done = ring_traffic_round(allocator, sizes, count, round, touch, may_fail);
    }
    return done;
}
