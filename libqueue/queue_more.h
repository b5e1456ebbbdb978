/*
 * queue_more.h - the queue beyond the challenge: many elements per call, and a check.
 *
 * The engine "classic" pushes and drops many at a time, "mark-on-push" pushes and pops. A program
 * that hands in needs only queue.h, whose conventions hold here too.
 */
#ifndef QUEUE_MORE_H
#define QUEUE_MORE_H

#include "queue.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Add count elements at the tail, in their order, as count pushes do, with one call. False
 * when out of memory, the queue unchanged.
 */
PW_EXPORT bool queue_push_all(struct queue *queue, const unsigned int *data, size_t count);

/*
 * Remove up to count elements from the head and give them, in their order, as count pops
 * do, with one call. Returns how many; 0 for NULL or an empty queue.
 */
PW_EXPORT size_t queue_pop_all(struct queue *queue, unsigned int *popped_data, size_t count);

/* Remove up to count elements from the head without giving them, for a caller that has read them in
 * queue->ll. Returns how many; 0 for NULL or an empty queue. */
PW_EXPORT size_t queue_drop(struct queue *queue, size_t count);

/* True if the queue, its list and the allocator's own structure are sound. Linear. Call it while no
 * other thread uses a list. */
PW_EXPORT bool queue_check(struct queue *queue);

#ifdef __cplusplus
}
#endif
#endif
