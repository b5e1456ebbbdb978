/*
 * registry.c - the one list of allocators.
 *
 * --alloc, --list-allocs, the contract tests and the benchmarks all walk it, in this order.
 */
#include "allocators.h"
#include <pthread.h>
#include <string.h>

#define ALLOCATOR_COUNT 16

static const struct node_allocator_type *types[ALLOCATOR_COUNT + 1];
static pthread_once_t types_once = PTHREAD_ONCE_INIT;

static void fill_types(void)
{
    const struct node_allocator_type *const list[ALLOCATOR_COUNT] = {
        malloc_allocator(),      pool_allocator(),    slab_allocator(),   first_fit_allocator(),
        first_fit32_allocator(), block_allocator(),   bump_allocator(),   null_allocator(),
        lib_allocator(),         plugin_allocator(),  replay_allocator(), record_allocator(),
        debug_allocator(),       no_free_allocator(), count_allocator(),  fault_allocator(),
    };
    memcpy(types, list, sizeof(list));
}

const struct node_allocator_type *const *node_allocator_types(void)
{
    pthread_once(&types_once, fill_types);
    return types;
}

const struct node_allocator_type *node_allocator_find(const char *name)
{
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        if (strcmp((*type)->name, name) == 0) {
            return *type;
        }
    }
    return NULL;
}
