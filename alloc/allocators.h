/*
 * allocators.h - the table of every allocator; registry.c lists them.
 * A new allocator is one file, one table here, one line in registry.c and one in CMakeLists.txt.
 */
#pragma once

#include "base/pw_assert.h"
#include "node_allocator.h"
#include "node_front.h"
#include "shared_locks.h"
#include <string.h>

/*
 * In debug builds, check the whole structure after a step of an instance with a member steps: after
 * each of the first 1,000 steps, and ever more rarely from then on. Not in a process with several
 * threads: the walk takes no lock, and another thread may change what it reads.
 */
#ifdef PW_DEBUG
bool allocator_is_sound(const struct node_allocator *self);
#define allocator_step(self, instance)                                                             \
    pw_assert(!is_single_threaded() || !pw_step_is_due(++(instance)->steps) ||                     \
              allocator_is_sound(self))
#else
#define allocator_step(self, instance) ((void)(self), (void)(instance))
#endif

/* Enter an open front in the list of its heap's fronts. node_front_leave takes it out again and
 * leaves it closed: all zeros. Under the lock. */
static inline void node_front_enter(struct node_front **fronts, struct node_front *front)
{
    pw_assert(front->block_bytes > 0 && front->next == NULL && front->previous == NULL);
    front->next = *fronts;
    if (front->next != NULL) {
        front->next->previous = front;
    }
    *fronts = front;
}

static inline void node_front_leave(struct node_front **fronts, struct node_front *front)
{
    pw_assert((front->previous == NULL) == (*fronts == front));
    *(front->previous != NULL ? &front->previous->next : fronts) = front->next;
    if (front->next != NULL) {
        front->next->previous = front->previous;
    }
    memset(front, 0, sizeof(*front));
}

/* The default of release_chain: one release per block. */
void node_allocator_release_each(struct node_allocator *self, void *head, size_t count,
                                 size_t size);

/* bytes_per_block for blocks without a header: the size, rounded up to 16. */
double node_allocator_bytes_rounded(const struct node_allocator *self, size_t size);

/* A release that passes a block to the allocator inside unchanged. */
void node_allocator_release_inside(struct node_allocator *self, void *block, size_t size);
void node_allocator_release_chain_inside(struct node_allocator *self, void *head, void *tail,
                                         size_t count, size_t size);

extern const struct node_allocator_type malloc_allocator;
extern const struct node_allocator_type pool_allocator;
extern const struct node_allocator_type slab_allocator;
extern const struct node_allocator_type first_fit_allocator;
extern const struct node_allocator_type first_fit32_allocator;
extern const struct node_allocator_type block_allocator;
extern const struct node_allocator_type bump_allocator;
extern const struct node_allocator_type null_allocator;
extern const struct node_allocator_type lib_allocator;
extern const struct node_allocator_type plugin_allocator;
extern const struct node_allocator_type replay_allocator;
extern const struct node_allocator_type quick_fit_allocator;
extern const struct node_allocator_type record_allocator;
extern const struct node_allocator_type no_free_allocator;
extern const struct node_allocator_type count_allocator;
extern const struct node_allocator_type fault_allocator;
