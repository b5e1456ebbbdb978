/*
 * allocators.h - the getter of every allocator in this folder; registry.c lists them.
 * A new allocator is one file, one getter here, one line in registry.c and one in CMakeLists.txt.
 */
#ifndef PW_ALLOCATORS_H
#define PW_ALLOCATORS_H

#include "node_allocator.h"

const struct node_allocator_type *malloc_allocator(void);
const struct node_allocator_type *pool_allocator(void);
const struct node_allocator_type *slab_allocator(void);
const struct node_allocator_type *first_fit_allocator(void);
const struct node_allocator_type *first_fit32_allocator(void);
const struct node_allocator_type *block_allocator(void);
const struct node_allocator_type *bump_allocator(void);
const struct node_allocator_type *lib_allocator(void);
const struct node_allocator_type *plugin_allocator(void);
const struct node_allocator_type *replay_allocator(void);
const struct node_allocator_type *null_allocator(void);
const struct node_allocator_type *no_free_allocator(void);
const struct node_allocator_type *record_allocator(void);
const struct node_allocator_type *debug_allocator(void);
const struct node_allocator_type *count_allocator(void);
const struct node_allocator_type *fault_allocator(void);

#endif
