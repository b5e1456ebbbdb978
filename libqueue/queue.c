/*
 * queue.c - the queue: push at the end of a list, pop from its front.
 *
 * The queue knows nothing of the memory of nodes: the list creates and deletes them. A push and a
 * pop are the list's, compiled in (liblist/list_ends.h), so that each is one call. Lists and queues
 * of a thread share its front, because libqueue.so is linked to liblinked_list.so. An unrolled
 * queue, with many elements per node, was tried and discarded: twice as fast on malloc, but no
 * faster on slab.
 */
#include "queue.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "liblist/linked_list_more.h"
#include "liblist/list_ends.h"
#include <stdint.h>

struct queue *queue_create(void)
{
    struct queue *queue = linked_list_allocate(sizeof(*queue));
    if (queue == NULL) {
        return NULL;
    }
    queue->ll = linked_list_create();
    if (queue->ll == NULL) {
        linked_list_release(queue);
        return NULL;
    }
    pw_assert(!queue_has_next(queue) && queue_size(queue) == 0);
    return queue;
}

bool queue_delete(struct queue *queue)
{
    if (queue == NULL) {
        return false;
    }
    const bool deleted = linked_list_delete(queue->ll);
    pw_assert(deleted);
    linked_list_release(queue);
    return deleted;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    return LIKELY(queue != NULL) && push_end(queue->ll, data);
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    return LIKELY(queue != NULL) && pop_front(queue->ll, popped_data);
}

bool queue_next(struct queue *queue, unsigned int *popped_data)
{
    if (popped_data == NULL || !queue_has_next(queue)) {
        return false;
    }
    *popped_data = queue->ll->head->data;
    return true;
}

bool queue_has_next(struct queue *queue)
{
    pw_assert(queue == NULL || (queue->ll->head != NULL) == (linked_list_size(queue->ll) > 0));
    return queue != NULL && queue->ll->head != NULL;
}

size_t queue_size(struct queue *queue)
{
    return queue != NULL ? linked_list_size(queue->ll) : SIZE_MAX;
}

bool queue_register_malloc(void *(*allocate)(size_t))
{
    return linked_list_register_malloc(allocate);
}

bool queue_register_free(void (*release)(void *))
{
    return linked_list_register_free(release);
}
