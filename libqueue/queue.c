/*
 * queue.c - the queue: push at the end of a list, pop from its front.
 *
 * An unrolled queue keeps many elements per node, each node a block from the list's hooks; push and
 * pop move a pointer, and once per node take or give one.
 *
 * It knows nothing of nodes' memory: that is the list's job, in the one copy of it that a
 * process has, since libqueue.so is linked to liblinked_list.so.
 */
#include "queue.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdint.h>
#include <string.h>

struct queue_node {
    struct queue_node *next; /* meaningless at the last; the elements stand behind it */
};

struct queue_nodes {
    unsigned int *pop_at, *pop_end;   /* in the first node: the head, and the node's end */
    unsigned int *push_at, *push_end; /* in the last node: behind the tail, and the node's end */
    struct queue_node *first, *last;  /* NULL before the first push */
    size_t count;                     /* nodes */
    size_t node_elements;
    PW_DEBUG_ONLY(uint64_t steps;)
};

static unsigned int *elements_of(struct queue_node *node)
{
    return (unsigned int *)(node + 1);
}

enum { NODE_ELEMENTS_MIN = 2, NODE_ELEMENTS_MAX = 4096 };

static size_t node_bytes(const struct queue_nodes *nodes)
{
    return sizeof(struct queue_node) + nodes->node_elements * sizeof(unsigned int);
}

/* A queue in a block of that size, the rest of which is zeroed. */
static struct queue *create(size_t bytes)
{
    struct queue *queue = linked_list_allocate(bytes);
    if (queue == NULL) {
        return NULL;
    }
    memset(queue, 0, bytes);
    queue->ll = linked_list_create();
    if (queue->ll == NULL) {
        linked_list_release(queue);
        return NULL;
    }
    return queue;
}

struct queue *queue_create(void)
{
    return create(sizeof(struct queue));
}

struct queue *queue_create_unrolled(size_t node_elements)
{
    if (node_elements < NODE_ELEMENTS_MIN || node_elements > NODE_ELEMENTS_MAX) {
        return NULL;
    }
    struct queue *queue = create(sizeof(struct queue) + sizeof(struct queue_nodes));
    if (queue != NULL) {
        queue->nodes = (struct queue_nodes *)(queue + 1);
        queue->nodes->node_elements = node_elements;
    }
    return queue;
}

bool queue_delete(struct queue *queue)
{
    if (queue == NULL) {
        return false;
    }
    struct queue_nodes *nodes = queue->nodes;
    if (nodes != NULL && nodes->count > 0) {
        linked_list_give_chain(queue->ll, nodes->first, nodes->last, nodes->count,
                               node_bytes(nodes));
    }
    linked_list_delete(queue->ll);
    linked_list_release(queue);
    return true;
}

/* Whether the nodes of an unrolled queue are linked, head in the first and tail in the last. */
static bool unrolled_is_whole(const struct queue *queue)
{
    const struct queue_nodes *nodes = queue->nodes;
    size_t count = 0;
    const struct queue_node *last = NULL;
    for (struct queue_node *node = nodes->first; node != NULL && count < nodes->count; count++) {
        last = node;
        node = node == nodes->last ? NULL : node->next;
    }
    if (queue->ll->head != NULL || queue->ll->blocks != count || nodes->count != count ||
        (count > 0 && last != nodes->last)) {
        return false;
    }
    if (count == 0) {
        return nodes->pop_at == nodes->push_at && nodes->push_at == nodes->push_end;
    }
    return nodes->pop_end == elements_of(nodes->first) + nodes->node_elements &&
           nodes->push_end == elements_of(nodes->last) + nodes->node_elements &&
           nodes->pop_at >= elements_of(nodes->first) && nodes->pop_at <= nodes->pop_end &&
           nodes->push_at >= elements_of(nodes->last) && nodes->push_at <= nodes->push_end &&
           (nodes->first != nodes->last || nodes->pop_at <= nodes->push_at);
}

#define unrolled_step(queue)                                                                       \
    PW_DEBUG_ONLY(pw_assert(!pw_step_is_due(++(queue)->nodes->steps) || unrolled_is_whole(queue)))

/* Add a new last node. False when out of memory. */
static __attribute__((noinline)) bool add_node(struct queue *queue)
{
    struct queue_nodes *nodes = queue->nodes;
    struct queue_node *node = linked_list_take_block(queue->ll, node_bytes(nodes));
    if (node == NULL) {
        return false;
    }
    if (nodes->count == 0) {
        nodes->first = node;
        nodes->pop_at = elements_of(node);
        nodes->pop_end = elements_of(node) + nodes->node_elements;
    } else {
        nodes->last->next = node;
    }
    nodes->last = node;
    nodes->push_at = elements_of(node);
    nodes->push_end = elements_of(node) + nodes->node_elements;
    nodes->count++;
    return true;
}

/* The first node is used up: go to the next, or use it again when it is the only one. */
static __attribute__((noinline)) bool leave_node(struct queue *queue)
{
    struct queue_nodes *nodes = queue->nodes;
    struct queue_node *done = nodes->first;
    pw_assert(nodes->count > 0 && nodes->pop_at == nodes->pop_end);
    if (done == nodes->last) {
        nodes->push_at = elements_of(done);
    } else {
        nodes->first = done->next;
        nodes->count--;
        linked_list_give_block(queue->ll, done, node_bytes(nodes));
    }
    nodes->pop_at = elements_of(nodes->first);
    nodes->pop_end = nodes->pop_at + nodes->node_elements;
    unrolled_step(queue);
    return true;
}

static inline bool unrolled_push(struct queue *queue, unsigned int data)
{
    struct queue_nodes *nodes = queue->nodes;
    if (UNLIKELY(nodes->push_at == nodes->push_end) && !add_node(queue)) {
        return false;
    }
    *nodes->push_at++ = data;
    unrolled_step(queue);
    return true;
}

static inline bool unrolled_pop(struct queue *queue, unsigned int *popped_data)
{
    struct queue_nodes *nodes = queue->nodes;
    if (UNLIKELY(nodes->pop_at == nodes->push_at || popped_data == NULL)) {
        return false;
    }
    *popped_data = *nodes->pop_at++;
    return UNLIKELY(nodes->pop_at == nodes->pop_end) ? leave_node(queue) : true;
}

static size_t unrolled_size(const struct queue_nodes *nodes)
{
    if (nodes->first == nodes->last) {
        return (size_t)(nodes->push_at - nodes->pop_at);
    }
    return (size_t)(nodes->pop_end - nodes->pop_at) + (nodes->count - 2) * nodes->node_elements +
           (size_t)(nodes->push_at - elements_of(nodes->last));
}

bool queue_push(struct queue *queue, unsigned int data)
{
    if (UNLIKELY(queue == NULL)) {
        return false;
    }
    return UNLIKELY(queue->nodes != NULL) ? unrolled_push(queue, data)
                                          : linked_list_insert_end(queue->ll, data);
}

/* Give back the nodes added since, and be as before. */
static void roll_back(struct queue *queue, const struct queue_nodes *before)
{
    struct queue_nodes *nodes = queue->nodes;
    if (nodes->count > before->count) {
        struct queue_node *first = before->count > 0 ? before->last->next : nodes->first;
        linked_list_give_chain(queue->ll, first, nodes->last, nodes->count - before->count,
                               node_bytes(nodes));
    }
    *nodes = *before;
    pw_assert(unrolled_is_whole(queue));
}

static __attribute__((noinline)) bool unrolled_push_all(struct queue *queue,
                                                        const unsigned int *data, size_t count)
{
    const struct queue_nodes before = *queue->nodes;
    struct queue_nodes *nodes = queue->nodes;
    for (size_t pushed = 0; pushed < count;) {
        if (nodes->push_at == nodes->push_end && !add_node(queue)) {
            roll_back(queue, &before);
            return false;
        }
        const size_t room = (size_t)(nodes->push_end - nodes->push_at);
        const size_t run = count - pushed < room ? count - pushed : room;
        memcpy(nodes->push_at, data + pushed, run * sizeof(*data));
        nodes->push_at += run;
        pushed += run;
    }
    unrolled_step(queue);
    return true;
}

bool queue_push_all(struct queue *queue, const unsigned int *data, size_t count)
{
    if (queue == NULL || (data == NULL && count > 0)) {
        return false;
    }
    return UNLIKELY(queue->nodes != NULL) ? unrolled_push_all(queue, data, count)
                                          : linked_list_insert_end_all(queue->ll, data, count);
}

/* The elements of the first node, or its last element's end when it is also the last node. */
static size_t first_run(const struct queue_nodes *nodes)
{
    const unsigned int *end = nodes->first == nodes->last ? nodes->push_at : nodes->pop_end;
    return (size_t)(end - nodes->pop_at);
}

/* Take up to count elements from the head; copy them unless popped_data is NULL. */
static __attribute__((noinline)) size_t unrolled_pop_all(struct queue *queue,
                                                         unsigned int *popped_data, size_t count)
{
    struct queue_nodes *nodes = queue->nodes;
    size_t popped = 0;
    while (popped < count && nodes->pop_at != nodes->push_at) {
        const size_t left = first_run(nodes);
        const size_t run = count - popped < left ? count - popped : left;
        if (popped_data != NULL) {
            memcpy(popped_data + popped, nodes->pop_at, run * sizeof(*popped_data));
        }
        nodes->pop_at += run;
        popped += run;
        if (nodes->pop_at == nodes->pop_end) {
            leave_node(queue);
        }
    }
    return popped;
}

size_t queue_pop_all(struct queue *queue, unsigned int *popped_data, size_t count)
{
    if (queue == NULL || popped_data == NULL) {
        return 0;
    }
    return UNLIKELY(queue->nodes != NULL)
               ? unrolled_pop_all(queue, popped_data, count)
               : linked_list_remove_front_all(queue->ll, popped_data, count);
}

size_t queue_drop(struct queue *queue, size_t count)
{
    if (queue == NULL) {
        return 0;
    }
    return UNLIKELY(queue->nodes != NULL) ? unrolled_pop_all(queue, NULL, count)
                                          : linked_list_drop_front(queue->ll, count);
}

bool queue_pop(struct queue *queue, unsigned int *popped_data)
{
    if (UNLIKELY(queue == NULL)) {
        return false;
    }
    return UNLIKELY(queue->nodes != NULL) ? unrolled_pop(queue, popped_data)
                                          : linked_list_remove_front(queue->ll, popped_data);
}

bool queue_next(struct queue *queue, unsigned int *popped_data)
{
    if (popped_data == NULL || !queue_has_next(queue)) {
        return false;
    }
    *popped_data = queue->nodes != NULL ? *queue->nodes->pop_at : queue->ll->head->data;
    return true;
}

bool queue_has_next(struct queue *queue)
{
    if (queue == NULL) {
        return false;
    }
    return queue->nodes != NULL ? queue->nodes->pop_at != queue->nodes->push_at
                                : queue->ll->head != NULL;
}

size_t queue_size(struct queue *queue)
{
    if (queue == NULL) {
        return SIZE_MAX;
    }
    return queue->nodes != NULL ? unrolled_size(queue->nodes) : linked_list_size(queue->ll);
}

bool queue_check(struct queue *queue)
{
    return queue != NULL && linked_list_check(queue->ll) &&
           (queue->nodes == NULL || unrolled_is_whole(queue));
}

bool queue_register_malloc(void *(*allocate)(size_t))
{
    return linked_list_register_malloc(allocate);
}

bool queue_register_free(void (*release)(void *))
{
    return linked_list_register_free(release);
}
