/*
 * allocators.h - the table of every allocator; registry.c lists them.
 * A new allocator is one file, one table here, one line in registry.c and one in CMakeLists.txt.
 */
#ifndef PW_ALLOCATORS_H
#define PW_ALLOCATORS_H

#include "node_allocator.h"

/* What release_chain does where a table leaves it out: one release per block. */
void node_allocator_release_each(struct node_allocator *self, void *head, size_t count,
                                 size_t size);

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
extern const struct node_allocator_type record_allocator;
extern const struct node_allocator_type debug_allocator;
extern const struct node_allocator_type no_free_allocator;
extern const struct node_allocator_type count_allocator;
extern const struct node_allocator_type fault_allocator;

#endif
