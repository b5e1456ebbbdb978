/*
 * challenge_queues.c - two queues beside which the judge sets a hand-in, and perf/study figures
 * ours.
 *
 * 1. LIFO_LIST: what a good hand-in does. Nodes from chunks of 4 MiB and a free list, last in,
 *    first out, in one library with the queue. NODE_MALLOC: one malloc per node in place of chunks,
 *    which is what the pool has to be compared with.
 * 2. Otherwise a bare array, the bound: 4 bytes are written and read per push and pop. It grows by
 *    doubling and is kept from search to search.
 * Only the functions that the program calls. One thread, one queue at a time.
 */
#include <queue.h>
#include <stdlib.h>

bool queue_register_malloc(void *(*function)(size_t))
{
    return function != NULL;
}

bool queue_register_free(void (*function)(void *))
{
    return function != NULL;
}

#ifdef LIFO_LIST

#define CHUNK_NODES (((size_t)4 << 20) / sizeof(struct item))

struct item {
    struct item *next;
    unsigned int data;
};

static struct item *head, *tail, *spare;

struct queue *queue_create(void)
{
    return malloc(sizeof(struct queue));
}

bool queue_delete(struct queue *queue)
{
    if (head != NULL) {
        tail->next = spare;
        spare = head;
        head = NULL;
    }
    free(queue);
    return true;
}

#ifdef NODE_MALLOC

static struct item *carve_item(void)
{
    return malloc(sizeof(struct item));
}

#else

static struct item *carve_item(void)
{
    static struct item *carve, *carve_end;
    if (carve == carve_end) {
        carve = malloc(CHUNK_NODES * sizeof(*carve));
        carve_end = carve == NULL ? NULL : carve + CHUNK_NODES;
    }
    return carve == NULL ? NULL : carve++;
}

#endif

static struct item *take(void)
{
    struct item *item = spare;
    if (item == NULL) {
        return carve_item();
    }
    spare = item->next;
    return item;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    struct item *item = take();
    if (queue == NULL || item == NULL) {
        return false;
    }
    item->data = data;
    item->next = NULL;
    *(head == NULL ? &head : &tail->next) = item;
    tail = item;
    return true;
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    struct item *item = head;
    if (queue == NULL || item == NULL) {
        return false;
    }
    *popped_data = item->data;
    head = item->next;
    item->next = spare;
    spare = item;
    return true;
}

#else

static unsigned int *items;
static size_t first, last, room;

struct queue *queue_create(void)
{
    first = last = 0;
    return malloc(sizeof(struct queue));
}

bool queue_delete(struct queue *queue)
{
    free(queue);
    return true;
}

bool queue_push(struct queue *queue, unsigned int data)
{
    if (last == room) {
        const size_t more = room == 0 ? 1024 : 2 * room;
        unsigned int *grown = realloc(items, more * sizeof(*items));
        if (grown == NULL) {
            return false;
        }
        items = grown;
        room = more;
    }
    items[last++] = data;
    return queue != NULL;
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    if (queue == NULL || first == last) {
        return false;
    }
    *popped_data = items[first++];
    return true;
}

#endif
