/*
 * queue_more.c - see queue_more.h.
 */
#include "queue_more.h"
#include "base/pw_assert.h"
#include "liblist/linked_list_more.h"

bool queue_push_all(struct queue *queue, const unsigned int *data, size_t count)
{
    return queue != NULL && linked_list_insert_end_all(queue->ll, data, count);
}

size_t queue_pop_all(struct queue *queue, unsigned int *popped_data, size_t count)
{
    return queue != NULL ? linked_list_remove_front_all(queue->ll, popped_data, count) : 0;
}

size_t queue_drop(struct queue *queue, size_t count)
{
    return queue != NULL ? linked_list_drop_front(queue->ll, count) : 0;
}

bool queue_check(struct queue *queue)
{
    return queue != NULL && linked_list_check(queue->ll);
}
