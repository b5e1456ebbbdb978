/*
 * malloc.c - the allocator "malloc": every block straight from the memory source.
 *
 * Cost: one call of the registered malloc a block, one of free a release; with glibc 32 bytes for a
 * 16-byte node. It keeps nothing and has no state, so it is what the libraries start with.
 */
#include "alloc/allocators.h"

static bool malloc_create(struct node_allocator *self, const struct node_option_value *values,
                          struct node_allocator_error *error)
{
    (void)self;
    (void)values;
    (void)error;
    return true;
}

static void *malloc_allocate(struct node_allocator *self, size_t size)
{
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

static void malloc_destroy(struct node_allocator *self)
{
    (void)self;
}

static const struct node_allocator_type type = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "malloc",
    .summary = "every node from the registered malloc, every release to free",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_BACK,
    .instance_bytes = sizeof(struct node_allocator),
    .bytes_per_block = malloc_bytes_per_block,
    .create = malloc_create,
    .allocate = malloc_allocate,
    .release = malloc_release,
    .destroy = malloc_destroy,
};

const struct node_allocator_type *malloc_allocator(void)
{
    return &type;
}
