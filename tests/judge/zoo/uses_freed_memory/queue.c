/* Reads the node that it has just given back. */
#define queue_pop good_pop
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    if (queue == NULL || queue->ll->head == NULL) {
        return false;
    }
    struct node *volatile node = queue->ll->head;
    linked_list_remove(queue->ll, 0);
    *data = node->data;
    return true;
}
