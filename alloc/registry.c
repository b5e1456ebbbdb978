/*
 * registry.c - the one list of allocators.
 *
 * --alloc, --list-allocs, the contract tests and the benchmarks all walk it, in this order.
 */
#include "allocators.h"
#include <string.h>

static const struct node_allocator_type *const types[] = {
    /* alloc/nodes, the default first */
    &malloc_allocator,
    &pool_allocator,
    &slab_allocator,
    /* alloc/heaps and others */
    &first_fit_allocator,
    &first_fit32_allocator,
    &block_allocator,
    &bump_allocator,
    &null_allocator,
    &lib_allocator,
    &plugin_allocator,
    &replay_allocator,
    /* alloc/wrappers */
    &quick_fit_allocator,
    &record_allocator,
    &no_free_allocator,
    &count_allocator,
    &fault_allocator,
    NULL,
};

const struct node_allocator_type *const *node_allocator_types(void)
{
    return types;
}

const struct node_allocator_type *node_allocator_find(const char *name)
{
    for (const struct node_allocator_type *const *type = types; *type != NULL; type++) {
        if (strcmp((*type)->name, name) == 0) {
            return *type;
        }
    }
    return NULL;
}
