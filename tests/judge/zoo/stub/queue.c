/* See linked_list.c. */
#include <queue.h>

struct queue *queue_create(void)
{
    return NULL;
}

bool queue_delete(struct queue *queue)
{
    (void)queue;
    return false;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    (void)queue, (void)data;
    return false;
}

bool queue_pop(struct queue *queue, unsigned int *data)
{
    (void)queue, (void)data;
    return false;
}

bool queue_next(struct queue *queue, unsigned int *data)
{
    (void)queue, (void)data;
    return false;
}

bool queue_has_next(struct queue *queue)
{
    (void)queue;
    return false;
}

size_t queue_size(struct queue *queue)
{
    (void)queue;
    return SIZE_MAX;
}

bool queue_register_malloc(void *(*function)(size_t))
{
    return function != NULL;
}

bool queue_register_free(void (*function)(void *))
{
    return function != NULL;
}
