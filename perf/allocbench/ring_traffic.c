/*
 * ring_traffic.c - rounds of requests, the oldest freed when the ring is full.
 */
#include "ring_traffic.h"
#include <string.h>

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

bool ring_traffic_run(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                      enum ring_touch touch, bool may_fail)
{
    static void *ring[RING_BLOCKS];
    const size_t ring_rounds = RING_BLOCKS / RING_PER_ROUND;
    const size_t rounds = count / RING_PER_ROUND;
    for (size_t round = 0; round < rounds + ring_rounds; round++) {
        void **blocks = ring + round % ring_rounds * RING_PER_ROUND;
        if (round >= ring_rounds) {
            release_round(allocator, sizes + (round - ring_rounds) * RING_PER_ROUND, blocks);
        }
        if (round < rounds &&
            !one_round(allocator, sizes + round * RING_PER_ROUND, blocks, touch, may_fail)) {
            return false;
        }
    }
    return true;
}
