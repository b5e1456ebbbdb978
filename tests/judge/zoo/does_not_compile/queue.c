/* A word is missing. */
#include <queue.h>

queue_create(void)
{
    return 0
}
