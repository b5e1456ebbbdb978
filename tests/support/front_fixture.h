/*
 * front_fixture.h - blocks through a front, as the lists of a thread take and give them; a process
 * with threads.
 */
#pragma once

#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "require.h"
#include <check.h>
#include <pthread.h>

static inline void *end_at_once(void *argument)
{
    return argument;
}

/* From now on the process counts as one with several threads. */
static inline void have_a_second_thread(void)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, end_at_once, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* False: there are no fronts under a checker. */
static inline bool open_front(const struct node_heap *heap, struct node_front *front, size_t size)
{
    const bool is_open = node_allocator_open_front(heap->allocator, front, size);
    ck_assert(is_open || blocks_are_watched());
    return is_open;
}

/* A block, or NULL. */
static inline void *front_take(const struct node_heap *heap, struct node_front *front)
{
    void *block = node_front_take(front, front->block_bytes);
    return block != NULL ? block : heap->allocator->type->fronts->take(heap->allocator, front);
}

static inline void front_give(const struct node_heap *heap, struct node_front *front, void *block)
{
    if (!node_front_give(front, block, front->block_bytes)) {
        heap->allocator->type->fronts->give(heap->allocator, front, block);
    }
}

static inline void close_front(const struct node_heap *heap, struct node_front *front)
{
    heap->allocator->type->fronts->close(heap->allocator, front);
}
