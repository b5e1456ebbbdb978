/* Prints without end. */
#include <stdio.h>
#define queue_size good_size
#include "good_queue.inc"
#undef queue_size

size_t queue_size(struct queue *queue)
{
    for (;;) {
        puts("a queue has a size, a queue has a size, a queue has a size");
    }
    return good_size(queue);
}
