/*
 * heap_open.c - opens a chain of allocators from a specification, and closes it.
 */
#include "base/pw_assert.h"
#include "refuse.h"
#include "specification.h"
#include <string.h>

/* Reserve zeroed bytes in the heap's own storage; NULL when it is used up. */
static void *storage_take(struct node_heap *heap, size_t bytes)
{
    pw_assert(heap->storage_used <= sizeof(heap->storage));
    size_t start = (heap->storage_used + 63) & ~(size_t)63;
    if (start > sizeof(heap->storage) || bytes > sizeof(heap->storage) - start) {
        return NULL;
    }
    heap->storage_used = start + bytes;
    memset(heap->storage + start, 0, bytes);
    return heap->storage + start;
}

/* Open the allocators from the innermost to the outermost. */
static bool open_levels(struct node_heap *heap, const struct node_specification *specification,
                        struct node_allocator_error *error)
{
    for (size_t i = specification->level_count; i-- > 0;) {
        const struct node_specification_level *level = &specification->levels[i];
        struct node_allocator *self = storage_take(heap, level->type->instance_bytes);
        if (self == NULL) {
            return refuse(error, "\"%s\": the states of these allocators do not fit in %d bytes",
                          heap->specification, NODE_HEAP_STORAGE);
        }
        self->type = level->type;
        self->source = &heap->source;
        self->inner = heap->allocator;
        pw_assert((self->inner != NULL) == ((self->type->flags & NODE_ALLOCATOR_WRAPS) != 0));
        if (self->type->create != NULL && !self->type->create(self, level->values, error)) {
            return false;
        }
        heap->allocator = self;
    }
    pw_assert(heap->allocator != NULL); /* a specification has at least one level */
    return true;
}

bool node_heap_open(struct node_heap *heap, const char *specification,
                    const struct memory_source *source, struct node_allocator_error *error)
{
    pw_assert(source->allocate != NULL && source->release != NULL);
    error->position = 0;
    error->message[0] = '\0';
    heap->allocator = NULL;
    heap->storage_used = 0;
    heap->source = *source;
    size_t length = strlen(specification);
    if (length >= sizeof(heap->specification)) {
        return refuse(error, "an allocator's specification has at most %zu characters, found %zu",
                      sizeof(heap->specification) - 1, length);
    }
    memcpy(heap->specification, specification, length + 1);

    /* Parsed in the heap's storage, so that the texts of the options live as long as it does. */
    struct node_specification *parsed = storage_take(heap, sizeof(*parsed));
    pw_assert(parsed != NULL);
    bool done = node_specification_parse(heap->specification, parsed, error) &&
                open_levels(heap, parsed, error);
    if (!done) {
        node_heap_close(heap);
    }
    return done;
}

void node_heap_close(struct node_heap *heap)
{
    for (struct node_allocator *self = heap->allocator; self != NULL; self = self->inner) {
        pw_assert(self->source == &heap->source); /* the heap was not moved while open */
        if (self->type->destroy != NULL) {
            self->type->destroy(self); /* a plug-in closes its inner allocator itself */
        }
    }
    heap->allocator = NULL;
}
