/* See queue.h. */
#include "queue.h"

static void *(*get)(size_t);
static void (*give)(void *);

struct queue *queue_create(void)
{
    struct queue *queue = get(sizeof(*queue));
    if (queue != NULL) {
        *queue = (struct queue){{NULL, NULL, 0}};
    }
    return queue;
}

bool queue_delete(struct queue *queue)
{
    if (queue == NULL) {
        return false;
    }
    while (linked_list_remove(&queue->ll, 0)) {
    }
    give(queue);
    return true;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    return queue != NULL && linked_list_insert_end(&queue->ll, data);
}

bool queue_next(struct queue *queue, unsigned int *popped_data)
{
    if (queue == NULL || popped_data == NULL || queue->ll.head == NULL) {
        return false;
    }
    *popped_data = queue->ll.head->data;
    return true;
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    return queue_next(queue, popped_data) && linked_list_remove(&queue->ll, 0);
}

bool queue_has_next(struct queue *queue)
{
    return queue != NULL && queue->ll.head != NULL;
}

size_t queue_size(struct queue *queue)
{
    return queue == NULL ? SIZE_MAX : queue->ll.size;
}

bool queue_register_malloc(void *(*function)(size_t))
{
    get = function == NULL ? get : function;
    return function != NULL && linked_list_register_malloc(function);
}

bool queue_register_free(void (*function)(void *))
{
    give = function == NULL ? give : function;
    return function != NULL && linked_list_register_free(function);
}
