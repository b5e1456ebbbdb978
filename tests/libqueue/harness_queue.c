/*
 * harness_queue.c - a stranger's program that knows only queue.h and links with -lqueue alone.
 */
#include <queue.h>
#include <stdio.h>

int main(void)
{
    struct queue *queue = queue_create();
    unsigned int data = 0;
    unsigned int sum = 0;
    unsigned int i;
    if (queue == NULL) {
        return 1;
    }
    for (i = 1; i <= 100; i++) {
        if (!queue_push(queue, i)) {
            return 1;
        }
    }
    while (queue_pop(queue, &data)) {
        sum += data;
    }
    if (!queue_push(queue, 1) || !queue_delete(queue) || sum != 5050) {
        return 1;
    }
    puts("ok");
    return 0;
}
