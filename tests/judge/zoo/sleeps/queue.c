/* The fourth push sleeps for an hour. */
#include <unistd.h>
#define queue_push good_push
#include "good_queue.inc"
#undef queue_push

bool queue_push(struct queue *queue, unsigned int data)
{
    if (queue_size(queue) == 3) {
        sleep(3600);
    }
    return good_push(queue, data);
}
