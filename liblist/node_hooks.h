/*
 * node_hooks.h - the allocator that the two hooks of the list use; private to liblist.
 *
 * 1. One set of hooks serves the whole process. It is opened when the first list is created or when
 *    an allocator is chosen, and from then on never closed, only changed.
 * 2. A thread may have its own set with its own allocator. A list remembers its set, so a push or a
 *    pop costs the same either way, and only the creation of a list looks it up.
 * 3. A set that its thread has left is parked with the nodes it keeps, and handed to the next
 *    thread that asks for the same allocator.
 * create_delete.h has the hooks themselves.
 */
#pragma once

#include "alloc/node_allocator.h"

struct linked_list;

struct node_hooks {
    struct node_front *front;         /* takes and gives nodes inline; NULL: always ask */
    struct node_allocator *allocator; /* NULL until the first list */
    struct linked_list *lists;        /* the lists alive; the list links and unlinks them */
    struct node_heap *heap;           /* the one in use of the two */
    struct node_heap heaps[2];        /* a new allocator is opened before the old one closes */
};

/* The hooks that a new list uses, open; NULL with the error set when none can be opened. */
struct node_hooks *node_hooks_acquire(void);

/* After acquire gave NULL: if LINKED_LIST_ALLOC is not legal, say why on standard error, once per
 * process. The program that gets no list for it seldom knows that it could ask. */
void node_hooks_say_refusal(void);
