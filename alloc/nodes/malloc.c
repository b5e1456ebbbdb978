/*
 * malloc.c - the allocator "malloc": every block comes straight from the memory source.
 *
 * Cost: one call of the registered malloc per block and one of free per release; with glibc 32
 * bytes per 16-byte node. It keeps nothing and has no state, so the libraries start with it.
 */
#include "alloc/allocators.h"

static void *malloc_allocate(struct node_allocator *self, size_t size)
{
    pw_assert(size > 0);
    return self->source->allocate(size);
}

static void malloc_release(struct node_allocator *self, void *block, size_t size)
{
    (void)size;
    self->source->release(block);
}

/* glibc: a size word before each block, sizes in steps of two words, at least four words in all. */
static double malloc_bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    size_t word = sizeof(size_t);
    size_t bytes = (size + word + 2 * word - 1) & ~(2 * word - 1);
    return (double)(bytes < 4 * word ? 4 * word : bytes);
}

const struct node_allocator_type malloc_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "malloc",
    .summary = "every node from the registered malloc, every release to free",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_BACK,
    .instance_bytes = sizeof(struct node_allocator),
    .bytes_per_block = malloc_bytes_per_block,
    .allocate = malloc_allocate,
    .release = malloc_release,
};
