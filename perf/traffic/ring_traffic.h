/*
 * ring_traffic.h - the loop of the experiment "distributions": N requests a round into a ring.
 */
#pragma once

#include "alloc/node_allocator.h"

#define RING_BLOCKS    1000 /* live at most */
#define RING_PER_ROUND 100  /* requests a round; when the ring is full, as many are freed */
#define RING_ROUNDS    (RING_BLOCKS / RING_PER_ROUND) /* those whose blocks are alive */

enum ring_touch {
    RING_TOUCH_NONE,
    RING_TOUCH_FIRST,
    RING_TOUCH_ALL,
    RING_TOUCH_PAGES, /* one byte of each page of the system, so that the memory is there */
};

/*
 * count requests (a multiple of 100) of these sizes; the rest is freed at the end. False when one
 * failed, unless may_fail: then its block is NULL, and so is what the release gets.
 */
bool ring_traffic_run(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                      enum ring_touch touch, bool may_fail);

/*
 * One round of that, from 0 on: the oldest 100 blocks are released if the ring is full, and 100 of
 * these sizes, which are those of all rounds, are requested while there are any.
 */
bool ring_traffic_round(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                        size_t round, enum ring_touch touch, bool may_fail);
