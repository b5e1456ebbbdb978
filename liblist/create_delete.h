/*
 * create_delete.h - the two hooks of the list: create a node, delete a node; private to liblist.
 *
 * These functions are the only places where a node comes or goes. The create_ functions and
 * ask_node give nodes, and the delete_ functions take them back, one or many with one call. With
 * an allocator that has fronts they are a few inline instructions, with any other one call per
 * node.
 */
#pragma once

#include "base/macros.h"
#include "base/pw_assert.h"
#include "node_hooks.h"

/* Nodes that a front carves lie as an array, so that many can be made and taken back at once. */
_Static_assert(sizeof(struct node) % NODE_ALIGNMENT == 0, "a page has no gap between nodes");

/*
 * A node from the front, its members not set; NULL: the front is empty, call ask_node. A fast path
 * that ends with this makes no call, and so needs no stack frame.
 */
static inline struct node *create_node_inline(void)
{
    return node_front_take(&linked_list_thread.front, sizeof(struct node));
}

/* A node from the allocator, after the front was empty; NULL when out of memory. */
static inline struct node *ask_node(void)
{
    return linked_list_thread.calls->ask();
}

/* A node, its members not set, or NULL when out of memory. */
static inline struct node *create_node(void)
{
    struct node *node = create_node_inline();
    if (UNLIKELY(node == NULL)) {
        node = ask_node();
    }
    pw_assert(((uintptr_t)node & (_Alignof(struct node) - 1)) == 0);
    return node;
}

/* How many nodes create_nodes can give at once: the rest of the page that the front carves; 0 while
 * the free list has nodes, which are used first. */
static inline size_t create_nodes_max(void)
{
    const struct node_front *front = &linked_list_thread.front;
    return front->free_list == NULL
               ? (size_t)(front->carve_end - front->carve) / sizeof(struct node)
               : 0;
}

/*
 * One node for each of data, linked in order; the link of *last is for the caller to set. count: 1
 * to create_nodes_max. Two stores per node and no branch.
 */
static inline struct node *create_nodes(const unsigned int *data, size_t count, struct node **last)
{
    struct node_front *front = &linked_list_thread.front;
    pw_assert(count > 0 && count <= create_nodes_max());
    struct node *nodes = (struct node *)front->carve;
    for (size_t i = 0; i < count; i++) {
        nodes[i].next = &nodes[i + 1];
        nodes[i].data = data[i];
    }
    front->carve = (unsigned char *)&nodes[count];
    *last = &nodes[count - 1];
    pw_assert(front->carve <= front->carve_end);
    return nodes;
}

/* Give a node back. Always true, so that a caller can end with it. */
static inline bool delete_node(struct node *node)
{
    pw_assert(node != NULL);
    if (UNLIKELY(!node_front_give(&linked_list_thread.front, node, sizeof(struct node)))) {
        linked_list_thread.calls->give(node);
    }
    return true;
}

/*
 * Give back the first of a chain, and up to count nodes that lie side by side with it; copy their
 * values unless data is NULL. Returns how many; *next: the node after them.
 */
static inline size_t delete_nodes(struct node *node, unsigned int *data, size_t count,
                                  struct node **next)
{
    struct node_front *front = &linked_list_thread.front;
    pw_assert(node != NULL && count > 0);
    const size_t taken = node_front_run_length(front, node, count, sizeof(struct node));
    if (taken == 0) {
        *next = node->next;
        if (data != NULL) {
            data[0] = node->data;
        }
        if (!node_front_push(front, node)) {
            linked_list_thread.calls->give(node);
        }
        return 1;
    }
    pw_assert(taken <= count);
    *next = node[taken - 1].next;
    for (size_t i = 0; data != NULL && i < taken; i++) {
        data[i] = node[i].data;
    }
    node_front_give_run(front, taken, sizeof(struct node));
    return taken;
}

/* Give back all nodes of a chain, at least one. */
static inline void delete_all_nodes(struct node *head, struct node *tail, size_t count)
{
    pw_assert(head != NULL && count > 0);
    linked_list_thread.calls->give_all(head, tail, count);
}
