/*
 * dispatch.c - the operations, with defaults for the entries that an allocator's table leaves out.
 *
 * What a wrapper leaves out, the allocator inside does.
 */
#include "allocators.h"
#include "node_front.h"
#include <string.h>
#ifdef PW_DEBUG
#include <stdio.h>
#include <unistd.h>
#endif

void node_allocator_release_each(struct node_allocator *self, void *head, size_t count, size_t size)
{
    pw_assert(head != NULL || count == 0);
    for (void *block = head; count > 0; count--) {
        void *next = *(void **)block;
        self->type->release(self, block, size);
        block = next;
    }
}

void node_allocator_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                  size_t size)
{
    pw_assert(tail != NULL || count == 0);
    if (self->type->release_chain != NULL) {
        self->type->release_chain(self, head, tail, count, size);
    } else {
        node_allocator_release_each(self, head, count, size);
    }
}

double node_allocator_bytes_rounded(const struct node_allocator *self, size_t size)
{
    (void)self;
    return (double)((size + 15) & ~(size_t)15);
}

void node_allocator_release_inside(struct node_allocator *self, void *block, size_t size)
{
    pw_assert(self->inner != NULL);
    node_allocator_release(self->inner, block, size);
}

void node_allocator_release_chain_inside(struct node_allocator *self, void *head, void *tail,
                                         size_t count, size_t size)
{
    pw_assert(self->inner != NULL);
    node_allocator_release_chain(self->inner, head, tail, count, size);
}

bool node_allocator_open_front(struct node_allocator *self, struct node_front *front, size_t size)
{
    pw_assert(front->block_bytes == 0 && front->carve == NULL && front->free_list == NULL);
    return self->type->fronts != NULL && self->type->fronts->open(self, front, size);
}

/* A plug-in hands everything on, so that what it opened counts. */
bool node_allocator_is_thread_safe(const struct node_allocator *self)
{
    const bool hands_on = self->inner != NULL && (self->type->flags & NODE_ALLOCATOR_WRAPS) == 0;
    self = hands_on ? self->inner : self;
    return (self->type->flags & NODE_ALLOCATOR_THREAD_SAFE) != 0;
}

void node_allocator_trim(struct node_allocator *self)
{
    if (self->type->trim != NULL) {
        self->type->trim(self);
    } else if (self->inner != NULL) {
        node_allocator_trim(self->inner);
    }
}

double node_allocator_bytes_per_block(const struct node_allocator *self, size_t size)
{
    while (self->type->bytes_per_block == NULL && self->inner != NULL) {
        self = self->inner;
    }
    return self->type->bytes_per_block != NULL ? self->type->bytes_per_block(self, size) : 0;
}

void node_allocator_statistics(const struct node_allocator *self,
                               struct node_allocator_statistics *out)
{
    memset(out, 0xff, sizeof(*out)); /* NODE_STATISTIC_UNKNOWN, every count */
    out->note[0] = '\0';
    out->output_lost = false;
    out->diverged = false;
    while (self != NULL && self->type->statistics == NULL) {
        self = self->inner;
    }
    if (self != NULL) {
        self->type->statistics(self, out);
    }
    pw_assert(memchr(out->note, '\0', sizeof(out->note)) != NULL);
}

bool node_allocator_check(const struct node_allocator *self, char *message, size_t message_size)
{
    if (self->type->check != NULL) {
        return self->type->check(self, message, message_size);
    }
    return self->inner == NULL || node_allocator_check(self->inner, message, message_size);
}

bool node_allocator_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    if (self->type->region != NULL) {
        return self->type->region(self, base, bytes);
    }
    return self->inner != NULL && node_allocator_region(self->inner, base, bytes);
}

#ifdef PW_DEBUG
bool allocator_is_sound(const struct node_allocator *self)
{
    char message[200] = "";
    bool sound = self->type->check(self, message, sizeof(message));
    return sound || (dprintf(STDERR_FILENO, "%s\n", message), false);
}
#endif

void node_allocator_report(const struct node_allocator *self, const struct node_report *to)
{
    if (self->type->report != NULL) {
        self->type->report(self, to);
    } else if (self->inner != NULL) {
        node_allocator_report(self->inner, to);
    }
}
