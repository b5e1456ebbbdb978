/* Leaves by exit(0) rather than say that it is empty. */
#include <stdlib.h>
#define queue_pop good_pop
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    if (queue != NULL && !queue_has_next(queue)) {
        exit(0);
    }
    return good_pop(queue, data);
}
