/*
 * queue.h - a first-in, first-out queue of unsigned ints: a list with two verbs.
 *
 * The interface of the Pointer Wars challenge, to the letter. Every operation but delete takes
 * constant time. A NULL queue gives false, NULL or SIZE_MAX; on an empty queue, pop and next return
 * false; in both cases *popped_data is left as it was. A failed allocation gives false or NULL and
 * leaves the queue as it was. Not thread-safe, as in the challenge. The allocator of the nodes is
 * chosen in linked_list.h.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include "linked_list.h"

#ifdef __cplusplus
extern "C" {
#endif

struct queue_nodes;

struct queue {
    struct linked_list *ll;    /* the elements, the oldest first */
    struct queue_nodes *nodes; /* of an unrolled queue, whose ll stays empty; else NULL */
};

/* An empty queue, or NULL. The caller deletes it with queue_delete. Two mallocs: it and its list.
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

/* Whether there is an element. */
PW_EXPORT bool queue_has_next(struct queue *queue);

/* The number of elements; SIZE_MAX for NULL. */
PW_EXPORT size_t queue_size(struct queue *queue);

/* Register the malloc and free of queues and lists alike; see linked_list.h. */
PW_EXPORT bool queue_register_malloc(void *(*malloc)(size_t));
PW_EXPORT bool queue_register_free(void (*free)(void *));

/* Beyond the challenge --------------------------------------------------------------------------*/

/*
 * Add count elements at the tail, in their order: the same as count pushes, with one call. All or
 * none: false when out of memory, the queue unchanged.
 */
PW_EXPORT bool queue_push_all(struct queue *queue, const unsigned int *data, size_t count);

/*
 * Remove up to count elements from the head and give them, in their order: the same as count
 * pops, with one call. Returns how many; 0 for NULL or an empty queue.
 */
PW_EXPORT size_t queue_pop_all(struct queue *queue, unsigned int *popped_data, size_t count);

/* The same without giving the elements, for a caller that has read them in queue->ll. */
PW_EXPORT size_t queue_drop(struct queue *queue, size_t count);

/*
 * An empty unrolled queue, or NULL: each of its nodes holds that many elements (2 to 4096; 14 fill
 * a cache line of 64 bytes). Everything else is as with any queue, and its nodes come from the same
 * hooks.
 */
PW_EXPORT struct queue *queue_create_unrolled(size_t node_elements);

/* Whether the queue, its list and the allocator's own structure are sound. Linear. */
PW_EXPORT bool queue_check(struct queue *queue);

#ifdef __cplusplus
}
#endif
#endif
