/*
 * ring_traffic.h - the loop of the experiment "distributions": N requests per round into a ring.
 */
#pragma once

#include "alloc/node_allocator.h"

#define RING_BLOCKS    1000 /* live at most */
#define RING_PER_ROUND 100  /* requests per round; when the ring is full, as many are freed */
#define RING_ROUNDS    (RING_BLOCKS / RING_PER_ROUND) /* rounds with live blocks */

enum ring_touch {
    RING_TOUCH_NONE,
    RING_TOUCH_FIRST,
    RING_TOUCH_ALL,
    RING_TOUCH_PAGES, /* one byte of each system page, so that it is mapped */
};

/*
 * Make count requests (a multiple of 100) of these sizes; the rest is freed at the end. False if
 * one failed, unless may_fail: then its block is NULL, and NULL is released, too.
 */
bool ring_traffic_run(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                      enum ring_touch touch, bool may_fail);

/*
 * Make one such round, numbered from 0: if the ring is full, the oldest 100 blocks are released.
 * Then 100 are requested, while sizes (of all rounds) are left.
 */
bool ring_traffic_round(struct node_allocator *allocator, const uint32_t *sizes, size_t count,
                        size_t round, enum ring_touch touch, bool may_fail);
