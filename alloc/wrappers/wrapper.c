/*
 * wrapper.c - the operations that a wrapper leaves to the allocator inside.
 */
#include "wrapper.h"

void *wrapper_allocate(struct node_allocator *self, size_t size)
{
    return node_allocator_allocate(self->inner, size);
}

void wrapper_release(struct node_allocator *self, void *block, size_t size)
{
    node_allocator_release(self->inner, block, size);
}

void wrapper_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                           size_t size)
{
    node_allocator_release_chain(self->inner, head, tail, count, size);
}

void wrapper_trim(struct node_allocator *self)
{
    node_allocator_trim(self->inner);
}

void wrapper_statistics(const struct node_allocator *self, struct node_allocator_statistics *out)
{
    node_allocator_statistics(self->inner, out);
}

bool wrapper_check(const struct node_allocator *self, char *message, size_t message_size)
{
    return node_allocator_check(self->inner, message, message_size);
}

bool wrapper_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    return node_allocator_region(self->inner, base, bytes);
}

void wrapper_report(const struct node_allocator *self, const struct node_report *to)
{
    node_allocator_report(self->inner, to);
}

double wrapper_bytes_per_block(const struct node_allocator *self, size_t size)
{
    return self->inner->type->bytes_per_block(self->inner, size);
}
