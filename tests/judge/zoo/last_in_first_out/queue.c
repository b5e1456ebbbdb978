/* A stack. */
#define queue_push good_push
#include "good_queue.inc"
#undef queue_push

bool queue_push(struct queue *queue, unsigned int data)
{
    return queue != NULL && linked_list_insert_front(queue->ll, data);
}
