/*
 * queue.c - the queue: push at the end of a list, pop from its front.
 *
 * It knows nothing of nodes' memory: that is the list's affair, in the one copy of it that a
 * process has, since libqueue.so is linked to liblinked_list.so.
 */
#include "queue.h"
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
    return queue;
}

bool queue_delete(struct queue *queue)
{
    if (queue == NULL) {
        return false;
    }
    linked_list_delete(queue->ll);
    linked_list_release(queue);
    return true;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    return queue != NULL && linked_list_insert_end(queue->ll, data);
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    return queue != NULL && linked_list_remove_front(queue->ll, popped_data);
}

bool queue_next(struct queue *queue, unsigned int *popped_data)
{
    if (queue == NULL || popped_data == NULL || queue->ll->head == NULL) {
        return false;
    }
    *popped_data = queue->ll->head->data;
    return true;
}

bool queue_has_next(struct queue *queue)
{
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
