/*
 * node_hooks.h - which allocator the two hooks of the list point at; private to liblist.
 */
#ifndef PW_NODE_HOOKS_H
#define PW_NODE_HOOKS_H

#include "alloc/node_allocator.h"
#include "linked_list.h"

struct node_hooks {
    struct node_front *front;         /* takes and gives nodes inline; NULL: always ask */
    struct node_allocator *allocator; /* NULL until the first list */
    struct linked_list *lists;        /* the lists alive, linked by next_list */
    struct node_heap *heap;           /* the one in use of the two */
    struct node_heap heaps[2];        /* a new allocator is opened before the old one closes */
};

/* The hooks that a new list uses, open; NULL with the error set when none can be opened. */
struct node_hooks *node_hooks_acquire(void);

/* A list begins, or ends, to use its hooks. */
void node_hooks_add(struct node_hooks *hooks, struct linked_list *ll);
void node_hooks_remove(struct node_hooks *hooks, struct linked_list *ll);

#endif
