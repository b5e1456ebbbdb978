/* One element in 30,000 comes out as its neighbour: false in ordinary use, and rarely. */
#define queue_pop good_pop
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    static unsigned int pops;
    bool is_there = good_pop(queue, data);
    if (is_there && ++pops % 30000 == 0) {
        *data += 1;
    }
    return is_there;
}
