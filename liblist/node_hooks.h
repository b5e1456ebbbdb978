/*
 * node_hooks.h - which allocator the two hooks of the list point at; private to liblist.
 *
 * 1. One set of hooks serves the whole process. It is opened when the first list is created or when
 *    an allocator is chosen, and from then on never closed, only changed.
 * 2. A thread may have a set of its own, with an allocator of its own. A list remembers its set, so
 *    that a push or a pop costs the same either way, and only the creation of a list asks which.
 * 3. A set that its thread has left is parked with the nodes it keeps, and handed to the next
 *    thread that asks for the same allocator.
 */
#ifndef PW_NODE_HOOKS_H
#define PW_NODE_HOOKS_H

#include "alloc/node_allocator.h"

/* The size of a list node; linked_list.c holds struct node against it. */
#define NODE_HOOKS_BYTES (2 * sizeof(void *))

struct linked_list;

struct node_hooks {
    struct node_front *front;         /* takes and gives nodes inline; NULL: always ask */
    struct node_allocator *allocator; /* NULL until the first list */
    struct linked_list *lists;        /* the lists alive; the list links and unlinks them */
    struct node_heap *heap;           /* the one in use of the two */
    struct node_heap heaps[2];        /* a new allocator is opened before the old one closes */
};

/* The hooks of this thread, or else of the process; perhaps not open. */
struct node_hooks *node_hooks_current(void);

/* The hooks that a new list uses, open; NULL with the error set when none can be opened. */
struct node_hooks *node_hooks_acquire(void);

/* Open an allocator and close the one before. A refusal sets the error and changes nothing. */
bool node_hooks_choose(struct node_hooks *hooks, const char *specification);

/* What the allocator of the process has to report; nothing while it is not open. */
void node_hooks_report(const struct node_report *to);

/* A thread's own hooks; see linked_list_thread_begin and linked_list_thread_end. */
bool node_hooks_thread_begin(const char *specification);
bool node_hooks_thread_end(void);

/* Trim the current allocator and close the parked ones. */
void node_hooks_cleanup(void);

/* Why the last call of this thread was refused, to be written by whoever refuses. */
struct node_allocator_error *node_hooks_error(void);

/* The registered malloc and free; NULL leaves one as it is. */
void node_hooks_register(void *(*allocate)(size_t), void (*release)(void *));

/* Memory from them. NULL with the error set. */
void *node_hooks_allocate(size_t size);
void node_hooks_release(void *block);

#endif
