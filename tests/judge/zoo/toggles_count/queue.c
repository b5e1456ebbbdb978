/* All work is in a function with the name of the judge's search: a simulator that counts by that name stops there. */
#define queue_push good_push
#define queue_pop  good_pop
#include "good_queue.inc"
#undef queue_push
#undef queue_pop

__attribute__((noinline)) static bool judge_search(struct queue *queue, unsigned int data,
                                                   unsigned int *popped)
{
    return popped == NULL ? good_push(queue, data) : good_pop(queue, popped);
}

bool queue_push(struct queue *queue, unsigned int data)
{
    return judge_search(queue, data, NULL);
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    return popped_data != NULL && judge_search(queue, 0, popped_data);
}
