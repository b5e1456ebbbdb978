/*
 * create_delete.h - the two hooks of the list: create a node, delete a node; private to liblist.
 *
 * These functions are the only places where a node comes or goes. Each hook has one for a single
 * node and one for many with one call, because the searches push and pop many at a time. With an
 * allocator that has a front they are a few inline instructions, with any other one call per node.
 */
#pragma once

#include "alloc/node_front.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "linked_list.h"
#include "node_hooks.h"

/*
 * A node that costs no call, its members not set; NULL: call create_node. For a fast path that
 * makes no call and so needs no frame.
 */
static inline struct node *create_node_inline(struct node_hooks *hooks)
{
    pw_assert(hooks->allocator != NULL);
    return hooks->front != NULL ? node_front_take(hooks->front) : NULL;
}

/* A node, its members not set, or NULL when out of memory. */
static inline struct node *create_node(struct node_hooks *hooks)
{
    struct node *node = create_node_inline(hooks);
    if (UNLIKELY(node == NULL)) {
        node = node_allocator_allocate(hooks->allocator, sizeof(*node));
    }
    pw_assert(((uintptr_t)node & (_Alignof(struct node) - 1)) == 0);
    return node;
}

/* How many nodes create_nodes can give at once: nodes that the front has never given out. */
static inline size_t create_nodes_max(const struct node_hooks *hooks)
{
    const struct node_front *front = hooks->front;
    const bool carves =
        front != NULL && front->own.free_list == NULL && front->block_bytes == sizeof(struct node);
    return carves ? (size_t)(front->carve_end - front->carve) / sizeof(struct node) : 0;
}

/*
 * One node for each of data, linked in order; the link of *last is not set. count: 1 to
 * create_nodes_max. Two stores per node and no branch.
 */
static inline struct node *create_nodes(struct node_hooks *hooks, const unsigned int *data,
                                        size_t count, struct node **last)
{
    pw_assert(count > 0 && count <= create_nodes_max(hooks));
    struct node *nodes = (struct node *)hooks->front->carve;
    for (size_t i = 0; i < count; i++) {
        nodes[i].next = &nodes[i + 1];
        nodes[i].data = data[i];
    }
    hooks->front->carve = (unsigned char *)&nodes[count];
    *last = &nodes[count - 1];
    pw_assert(hooks->front->carve <= hooks->front->carve_end);
    return nodes;
}

/* Without a front the allocator takes the node back; with one it learns that a page is done. */
static __attribute__((noinline)) bool hand_over(struct node_hooks *hooks, struct node *node,
                                                struct node_page *done)
{
    struct node_allocator *allocator = hooks->allocator;
    pw_assert(done == NULL || (hooks->front != NULL && done->countdown == 0));
    if (done != NULL) {
        allocator->type->page_done(allocator, hooks->front, done);
    } else {
        node_allocator_release(allocator, node, sizeof(*node));
    }
    return true;
}

/* Give a node back. Always true, so that a caller can end with it. */
static inline bool delete_node(struct node_hooks *hooks, struct node *node)
{
    pw_assert(node != NULL);
    struct node_front *front = hooks->front;
    struct node_page *done = front != NULL ? node_front_give(front, node) : NULL;
    return LIKELY(front != NULL && done == NULL) ? true : hand_over(hooks, node, done);
}

/*
 * Give back the first of a chain, and up to count nodes that lie side by side with it; copy their
 * values unless data is NULL. Returns how many; *next: the node after them.
 */
static inline size_t delete_nodes(struct node_hooks *hooks, struct node *node, unsigned int *data,
                                  size_t count, struct node **next)
{
    pw_assert(node != NULL && count > 0);
    struct node_front *front = hooks->front;
    const size_t run = front != NULL && front->block_bytes == sizeof(*node)
                           ? node_front_run(front, node, count, sizeof(*node))
                           : 0;
    if (run == 0) {
        *next = node->next;
        if (data != NULL) {
            data[0] = node->data;
        }
        delete_node(hooks, node);
        return 1;
    }
    pw_assert(run <= count);
    *next = node[run - 1].next;
    for (size_t i = 0; data != NULL && i < run; i++) {
        data[i] = node[i].data;
    }
    struct node_page *done = node_front_give_run(front, node, run);
    if (UNLIKELY(done != NULL)) {
        hand_over(hooks, node, done);
    }
    return run;
}

/* Give back a whole list of count nodes, perhaps 0: an allocator may tidy up when a list goes. */
static inline void delete_all_nodes(struct node_hooks *hooks, struct node *head, struct node *tail,
                                    size_t count)
{
    pw_assert((count == 0) == (head == NULL));
    node_allocator_release_chain(hooks->allocator, head, tail, count, sizeof(*head));
}
