/*
 * node_heap.c - opening and closing an allocator, and the defaults for what a type leaves out.
 */
#include "node_allocator.h"
#include "specification.h"
#include <stdio.h>
#include <string.h>

/* Room for bytes in the heap's own storage, zeroed, or NULL when it is used up. */
static void *storage_take(struct node_heap *heap, size_t bytes)
{
    size_t start = (heap->storage_used + 63) & ~(size_t)63;
    if (start > sizeof(heap->storage) || bytes > sizeof(heap->storage) - start) {
        return NULL;
    }
    heap->storage_used = start + bytes;
    memset(heap->storage + start, 0, bytes);
    return heap->storage + start;
}

/* Build the allocators from the innermost to the outermost. */
static bool build(struct node_heap *heap, const struct specification *specification,
                  struct node_allocator_error *error)
{
    for (size_t i = specification->level_count; i-- > 0;) {
        const struct specification_level *level = &specification->levels[i];
        struct node_allocator *self = storage_take(heap, level->type->instance_bytes);
        if (self == NULL) {
            snprintf(error->message, sizeof(error->message),
                     "\"%s\": the states of these allocators do not fit in %d bytes",
                     heap->specification, NODE_HEAP_STORAGE);
            return false;
        }
        self->type = level->type;
        self->source = &heap->source;
        self->inner = heap->allocator;
        if (!level->type->create(self, level->values, error)) {
            return false;
        }
        heap->allocator = self;
    }
    return true;
}

bool node_heap_open(struct node_heap *heap, const char *specification,
                    const struct memory_source *source, struct node_allocator_error *error)
{
    error->position = 0;
    error->message[0] = '\0';
    heap->allocator = NULL;
    heap->storage_used = 0;
    heap->source = *source;
    size_t length = strlen(specification);
    if (length >= sizeof(heap->specification)) {
        snprintf(error->message, sizeof(error->message),
                 "an allocator's specification has at most %zu characters, found %zu",
                 sizeof(heap->specification) - 1, length);
        return false;
    }
    memcpy(heap->specification, specification, length + 1);

    /* Parsed in the heap's storage, so that the texts of the options live as long as it does. */
    struct specification *parsed = storage_take(heap, sizeof(*parsed));
    if (!specification_parse(heap->specification, parsed, error)) {
        return false;
    }
    if (!build(heap, parsed, error)) {
        node_heap_close(heap);
        return false;
    }
    return true;
}

void node_heap_close(struct node_heap *heap)
{
    for (struct node_allocator *self = heap->allocator; self != NULL;) {
        struct node_allocator *inner = self->inner;
        self->type->destroy(self);
        self = inner;
    }
    heap->allocator = NULL;
}

void node_allocator_release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                                  size_t size)
{
    if (self->type->release_chain != NULL) {
        self->type->release_chain(self, head, tail, count, size);
        return;
    }
    void *block = head;
    for (size_t i = 0; i < count; i++) {
        void *next = *(void **)block;
        self->type->release(self, block, size);
        block = next;
    }
}

struct node_front *node_allocator_front(struct node_allocator *self, size_t size)
{
    return self->type->front != NULL ? self->type->front(self, size) : NULL;
}

void node_allocator_trim(struct node_allocator *self)
{
    if (self->type->trim != NULL) {
        self->type->trim(self);
    }
}

void node_allocator_statistics(const struct node_allocator *self,
                               struct node_allocator_statistics *out)
{
    *out = (struct node_allocator_statistics){
        .live_blocks = NODE_STATISTIC_UNKNOWN,
        .kept_blocks = NODE_STATISTIC_UNKNOWN,
        .held_bytes = NODE_STATISTIC_UNKNOWN,
        .held_bytes_max = NODE_STATISTIC_UNKNOWN,
        .requests = NODE_STATISTIC_UNKNOWN,
        .releases = NODE_STATISTIC_UNKNOWN,
        .heap_bytes = NODE_STATISTIC_UNKNOWN,
        .heap_bytes_needed = NODE_STATISTIC_UNKNOWN,
    };
    if (self->type->statistics != NULL) {
        self->type->statistics(self, out);
    }
}

bool node_allocator_check(const struct node_allocator *self, char *message, size_t message_size)
{
    return self->type->check == NULL || self->type->check(self, message, message_size);
}

bool node_allocator_region(const struct node_allocator *self, void **base, size_t *bytes)
{
    return self->type->region != NULL && self->type->region(self, base, bytes);
}

void node_allocator_report(const struct node_allocator *self, const struct node_report *to)
{
    if (self->type->report != NULL) {
        self->type->report(self, to);
    }
}
