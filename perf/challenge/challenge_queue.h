/*
 * challenge_queue.h - queue.h of the Pointer Wars challenge, and nothing beyond it; see
 * challenge_list.h.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <linked_list.h>

#ifdef __cplusplus
extern "C" {
#endif

struct queue {
    struct linked_list *ll;
};

struct queue *queue_create(void);
bool queue_delete(struct queue *queue);
bool queue_push(struct queue *queue, unsigned int data);
bool queue_pop(struct queue *queue, unsigned int *popped_data);
bool queue_next(struct queue *queue, unsigned int *popped_data);
bool queue_has_next(struct queue *queue);
size_t queue_size(struct queue *queue);
bool queue_register_malloc(void *(*malloc)(size_t));
bool queue_register_free(void (*free)(void *));

#ifdef __cplusplus
}
#endif
#endif
