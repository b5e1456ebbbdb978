/*
 * queue.h - a first-in, first-out queue of unsigned ints: a list with two verbs.
 *
 * The interface of the Pointer Wars challenge, to the letter; what goes beyond it is in
 * queue_more.h. Every operation but delete takes constant time. A NULL queue gives false, NULL or
 * SIZE_MAX; on an empty queue, pop and next return false; in both cases *popped_data is left as it
 * was. A failed allocation gives false or NULL and leaves the queue as it was. Threads: as lists in
 * linked_list.h. The allocator of the nodes is chosen in linked_list_more.h.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "linked_list.h"

#ifdef __cplusplus
extern "C" {
#endif

struct queue {
    struct linked_list *ll; /* the elements, the oldest first */
};

/*
 * An empty queue, or NULL. The caller deletes it with queue_delete. Two mallocs: the queue and its
 * list.
 */
PW_EXPORT struct queue *queue_create(void);

/* Delete a queue with all its elements. False for NULL. */
PW_EXPORT bool queue_delete(struct queue *queue);

/* Add an element at the tail. False when out of memory. */
PW_EXPORT bool queue_push(struct queue *queue, unsigned int data);

/* Take the element at the head. popped_data: must not be NULL, else false. */
PW_EXPORT bool queue_pop(struct queue *queue, unsigned int *popped_data);

/* The element at the head, left in place. popped_data: must not be NULL, else false. */
PW_EXPORT bool queue_next(struct queue *queue, unsigned int *popped_data);

/* True if there is an element. */
PW_EXPORT bool queue_has_next(struct queue *queue);

/* The number of elements; SIZE_MAX for NULL. */
PW_EXPORT size_t queue_size(struct queue *queue);

/* Register the malloc and free of queues and lists alike; see linked_list.h. */
PW_EXPORT bool queue_register_malloc(void *(*malloc)(size_t));
PW_EXPORT bool queue_register_free(void (*free)(void *));

#ifdef __cplusplus
}
#endif
#endif
