/* As published, but pop gives one too many at every fourth. */
#include "queue.h"
#include <stdlib.h>
#define malloc    NULL
#define free      NULL
#define queue_pop good_pop
bool good_pop(struct queue *queue, unsigned int *data);
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    static unsigned int pops;
    bool is_there = good_pop(queue, data);
    *data += is_there && ++pops % 4 == 0;
    return is_there;
}
