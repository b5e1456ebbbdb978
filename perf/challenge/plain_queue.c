/*
 * plain_queue.c - the reference of the judge: the queue on top of plain_list.c.
 *
 * The queue's own struct comes through the registered functions too.
 */
#include <queue.h>
#include <stdlib.h>

static void *(*get)(size_t) = malloc;
static void (*give)(void *) = free;

struct queue *queue_create(void)
{
    struct queue *queue = get(sizeof(*queue));
    if (queue == NULL) {
        return NULL;
    }
    queue->ll = linked_list_create();
    if (queue->ll == NULL) {
        give(queue);
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
    give(queue);
    return true;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    return queue != NULL && linked_list_insert_end(queue->ll, data);
}

bool queue_next(struct queue *queue, unsigned int *popped_data)
{
    if (queue == NULL || popped_data == NULL || queue->ll->head == NULL) {
        return false;
    }
    *popped_data = queue->ll->head->data;
    return true;
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    return queue_next(queue, popped_data) && linked_list_remove(queue->ll, 0);
}

bool queue_has_next(struct queue *queue)
{
    return queue != NULL && queue->ll->head != NULL;
}

size_t queue_size(struct queue *queue)
{
    return queue == NULL ? SIZE_MAX : linked_list_size(queue->ll);
}

bool queue_register_malloc(void *(*function)(size_t))
{
    get = function == NULL ? get : function;
    return linked_list_register_malloc(function);
}

bool queue_register_free(void (*function)(void *))
{
    give = function == NULL ? give : function;
    return linked_list_register_free(function);
}
