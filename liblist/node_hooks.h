/*
 * node_hooks.h - the allocator that the two hooks of the list use; private to liblist and libqueue.
 *
 * 1. One allocator serves the whole process. It is opened when the first list is created or when
 *    an allocator is chosen. It may be changed; from then on some allocator is always open.
 * 2. Each thread has a front (alloc/node_front.h), so that a push or a pop needs no call and no
 *    lock. A list knows no allocator: a pop gives the node to the front of its own thread.
 * 3. The allocator opens the front at the thread's first push or pop. A thread that ends gives back
 *    what its front has. It may use lists until its very end, without a front then.
 * 4. The choice of the allocator and the list of threads change under LOCK_LISTS. An allocator that
 *    is not thread-safe is called under LOCK_LISTS, too.
 * create_delete.h has the hooks themselves.
 */
#pragma once

#include "alloc/node_front.h"
#include "linked_list.h"

/*
 * What the inline code cannot do: give a node, or NULL; take a node back; take back all nodes of a
 * list, at least one. They are called through a table, because the way changes with the allocator,
 * and because libqueue.so sees only the exported functions of liblinked_list.so.
 */
struct node_calls {
    struct node *(*ask)(void);
    void (*give)(struct node *node);
    void (*give_all)(struct node *head, struct node *tail, size_t count);
};

/* What each thread keeps for the hooks. */
struct node_thread {
    struct node_front front;        /* all zeros: closed; the calls open it */
    const struct node_calls *calls; /* how the allocator is reached (list_allocator.c) */
    bool is_entered;                /* in the list of threads */
    bool has_left;                  /* the thread is at its end: it is not entered again */
    int64_t live; /* for an allocator without fronts: nodes taken less nodes given; below 0 if
                        other threads took what this one gave */
    struct node_thread *next, *previous; /* in that list */
};

/* Initial-exec: an access needs no call. glibc keeps room for it also in a library that dlopen
 * opens; musl does not. Exported for libqueue.so alone; both libraries are of one version. */
#ifdef __GLIBC__
#define NODE_THREAD_MODEL __attribute__((tls_model("initial-exec")))
#else
#define NODE_THREAD_MODEL
#endif
extern PW_EXPORT _Thread_local struct node_thread linked_list_thread NODE_THREAD_MODEL;

struct node_hooks {
    struct node_allocator *allocator; /* NULL until the first list */
    bool needs_lock;                  /* the allocator serves one thread at a time */
    bool has_fronts;                  /* the allocator opens fronts, and counts its live blocks */
    struct node_thread *threads;      /* threads that took or gave a node and have not ended */
    int64_t live_left;                /* live of ended threads, and of calls under the lock */
    struct node_heap heaps[2];        /* a new allocator is opened before the old one closes */
    struct node_heap *heap;           /* the one in use */
};

extern struct node_hooks node_hooks __attribute__((visibility("hidden")));

/* Open the allocator unless it is open. False with the error set if it cannot be opened. */
bool node_hooks_open(void);

/* After open gave false: if LINKED_LIST_ALLOC is not legal, say why on standard error, once per
 * process. The program that then gets no list seldom knows that it could ask. */
void node_hooks_say_refusal(void);
