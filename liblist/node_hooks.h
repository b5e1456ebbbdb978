/*
 * node_hooks.h - the allocator that the two hooks of the list use; private to liblist.
 *
 * 1. One allocator serves the whole process. It is opened when the first list is created or when
 *    an allocator is chosen, and from then on never closed, only changed.
 * 2. A list has a front of its own (alloc/node_front.h), so that a push or a pop needs no lock: one
 *    list is used by one thread at a time. The 65th insertion opens it. So thousands of small lists
 *    share pages, for the price of a call per node.
 * 3. The list of lists and the choice of the allocator are changed under LOCK_LISTS. So is every
 *    call of an allocator that is not thread-safe.
 * create_delete.h has the hooks themselves.
 */
#pragma once

#include "alloc/node_front.h"
#include "linked_list.h"

#define OWN_FRONT_FROM 64 /* insertions before a list has a front of its own */

struct own_list;

/* What a front cannot do by itself: give a node, or NULL; take a node back. Through a table, since
 * libqueue.so cannot see the functions of liblinked_list.so that are not its interface. */
struct node_calls {
    struct node *(*ask)(struct own_list *own);
    void (*give)(struct own_list *own, struct node *node);
};

/* A list as linked_list_create makes it. What a push or pop writes comes first; the next list in
 * memory, which may be another thread's, begins at least a cache line later. */
struct own_list {
    struct linked_list list; /* first: the list and this have one address */
    struct node_front front; /* all zeros: closed */
    bool has_no_front;       /* the allocator opens none */
    const struct node_calls *calls;
    struct own_list *next_list, *previous_list;              /* the lists alive */
    PW_DEBUG_ONLY(bool (*is_sound)(struct linked_list *ll);) /* true after a step */
};

struct node_hooks {
    struct node_allocator *allocator; /* NULL until the first list */
    bool needs_lock;                  /* the allocator serves one thread at a time */
    struct own_list *lists;           /* the lists alive */
    struct node_heap *heap;           /* the one in use of the two */
    struct node_heap heaps[2];        /* a new allocator is opened before the old one closes */
};

extern struct node_hooks node_hooks __attribute__((visibility("hidden")));

static inline struct own_list *own_list(struct linked_list *ll)
{
    return (struct own_list *)ll;
}

/* Enter a new list, the hooks open; false with the error set when none can be opened. */
bool node_hooks_enter(struct own_list *own);
void node_hooks_leave(struct own_list *own);

/* After enter gave false: if LINKED_LIST_ALLOC is not legal, say why on standard error, once per
 * process. The program that gets no list for it seldom knows that it could ask. */
void node_hooks_say_refusal(void);

/* A list is about to ask for that many nodes, one by one. */
void node_hooks_expect(struct own_list *own, size_t count);

/* Take back all count nodes of a list, perhaps none, and close its front. */
void node_hooks_give_all(struct own_list *own, struct node *head, struct node *tail, size_t count);
