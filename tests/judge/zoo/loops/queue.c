/* The fourth push never returns. */
#define queue_push good_push
#include "good_queue.inc"
#undef queue_push

bool queue_push(struct queue *queue, unsigned int data)
{
    volatile bool waits = queue_size(queue) == 3;
    while (waits) {
    }
    return good_push(queue, data);
}
