/* Does not look whether there was memory for the list. */
#define queue_create good_create
#include "good_queue.inc"
#undef queue_create

struct queue *queue_create(void)
{
    struct queue *queue = get(sizeof(*queue));
    queue->ll = linked_list_create();
    return queue;
}
