/* Ignores whatever signal can be ignored, and hangs. */
#include <signal.h>
#include <unistd.h>
#define queue_pop good_pop
#include "good_queue.inc"
#undef queue_pop

bool queue_pop(struct queue *queue, unsigned int *data)
{
    if (queue_size(queue) == 3) {
        for (int number = 1; number < 64; number++) {
            signal(number, SIG_IGN);
        }
        for (;;) {
            pause();
        }
    }
    return good_pop(queue, data);
}
