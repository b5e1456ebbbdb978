/*
 * wrapper.h - what a wrapper hands straight to the allocator inside, for use in its table.
 */
#ifndef PW_WRAPPER_H
#define PW_WRAPPER_H

#include "alloc/node_allocator.h"

void *wrapper_allocate(struct node_allocator *self, size_t size);
void wrapper_release(struct node_allocator *self, void *block, size_t size);
void wrapper_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                           size_t size);
void wrapper_trim(struct node_allocator *self);
void wrapper_statistics(const struct node_allocator *self, struct node_allocator_statistics *out);
bool wrapper_check(const struct node_allocator *self, char *message, size_t message_size);
bool wrapper_region(const struct node_allocator *self, void **base, size_t *bytes);
void wrapper_report(const struct node_allocator *self, const struct node_report *to);
double wrapper_bytes_per_block(const struct node_allocator *self, size_t size);

#endif
