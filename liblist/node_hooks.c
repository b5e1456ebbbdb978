/*
 * node_hooks.c - see node_hooks.h; here is all state that liblist keeps for the process.
 */
#include "node_hooks.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/refuse.h"
#include "base/pw_assert.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct memory_source registered = {.allocate = malloc, .release = free};
static struct node_hooks process_hooks;

/* The hooks of one thread, at the first aligned address within a registered malloc's block. */
struct thread_hooks {
    struct node_hooks hooks;
    struct thread_hooks *next_parked;
    void *block;
};

static _Thread_local struct thread_hooks *own_hooks; /* NULL: those of the process */
static pthread_mutex_t parked_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread_hooks *parked; /* left by their threads; none of their lists is alive */
static _Thread_local struct node_allocator_error last_error;

bool node_hooks_choose(struct node_hooks *hooks, const char *specification)
{
    struct node_heap *before = hooks->heap;
    struct node_heap *heap = &hooks->heaps[before == &hooks->heaps[0]];
    if (!node_heap_open(heap, specification, &registered, &last_error)) {
        return false;
    }
    if (before != NULL) {
        node_heap_close(before);
    }
    pw_assert(heap != before && heap->allocator != NULL);
    hooks->heap = heap;
    hooks->allocator = heap->allocator;
    hooks->front = node_allocator_front(hooks->allocator, NODE_HOOKS_BYTES);
    return true;
}

struct node_hooks *node_hooks_current(void)
{
    return own_hooks != NULL ? &own_hooks->hooks : &process_hooks;
}

struct node_hooks *node_hooks_acquire(void)
{
    struct node_hooks *hooks = node_hooks_current();
    if (hooks->allocator == NULL) {
        const char *chosen = getenv("LINKED_LIST_ALLOC");
        if (!node_hooks_choose(hooks, chosen != NULL && chosen[0] != '\0' ? chosen : "malloc")) {
            return NULL;
        }
    }
    return hooks;
}

/* Thread hooks -------------------------------------------------------------------------------- */

/* The parked hooks with that allocator, taken out of the list; or NULL. */
static struct thread_hooks *take_parked(const char *specification)
{
    pthread_mutex_lock(&parked_lock);
    struct thread_hooks **link = &parked;
    while (*link != NULL && strcmp((*link)->hooks.heap->specification, specification) != 0) {
        link = &(*link)->next_parked;
    }
    struct thread_hooks *found = *link;
    if (found != NULL) {
        pw_assert(found->hooks.lists == NULL && found->hooks.allocator != NULL);
        *link = found->next_parked;
    }
    pthread_mutex_unlock(&parked_lock);
    return found;
}

static struct thread_hooks *create_thread_hooks(const char *specification)
{
    const size_t alignment = _Alignof(struct thread_hooks);
    void *block = node_hooks_allocate(sizeof(struct thread_hooks) + alignment);
    if (block == NULL) {
        return NULL;
    }
    unsigned char *aligned = block;
    aligned += -(uintptr_t)block & (alignment - 1);
    struct thread_hooks *own = (struct thread_hooks *)aligned;
    memset(own, 0, sizeof(*own));
    own->block = block;
    if (!node_hooks_choose(&own->hooks, specification)) {
        node_hooks_release(block);
        return NULL;
    }
    return own;
}

bool node_hooks_thread_begin(const char *specification)
{
    if (own_hooks != NULL) {
        return refuse(&last_error, "this thread has an allocator of its own already");
    }
    if (specification == NULL) {
        struct node_hooks *hooks = node_hooks_acquire();
        if (hooks == NULL) {
            return false;
        }
        specification = hooks->heap->specification;
    }
    own_hooks = take_parked(specification);
    if (own_hooks == NULL) {
        own_hooks = create_thread_hooks(specification);
    }
    return own_hooks != NULL;
}

bool node_hooks_thread_end(void)
{
    struct thread_hooks *own = own_hooks;
    if (own == NULL || own->hooks.lists != NULL) {
        return refuse(&last_error, "%s",
                      own == NULL ? "this thread has no allocator of its own"
                                  : "lists of this thread are alive");
    }
    own_hooks = NULL;
    pthread_mutex_lock(&parked_lock);
    own->next_parked = parked;
    parked = own;
    pthread_mutex_unlock(&parked_lock);
    return true;
}

static void free_parked(void)
{
    pthread_mutex_lock(&parked_lock);
    struct thread_hooks *own = parked;
    parked = NULL;
    pthread_mutex_unlock(&parked_lock);
    while (own != NULL) {
        struct thread_hooks *next = own->next_parked;
        node_heap_close(own->hooks.heap);
        node_hooks_release(own->block);
        own = next;
    }
}

void node_hooks_cleanup(void)
{
    struct node_hooks *hooks = node_hooks_current();
    if (hooks->allocator != NULL) {
        node_allocator_trim(hooks->allocator);
    }
    free_parked();
}

struct node_allocator_error *node_hooks_error(void)
{
    return &last_error;
}

void node_hooks_report(const struct node_report *to)
{
    if (process_hooks.allocator != NULL) {
        node_allocator_report(process_hooks.allocator, to);
    }
}

void node_hooks_register(void *(*allocate)(size_t), void (*release)(void *))
{
    registered.allocate = allocate != NULL ? allocate : registered.allocate;
    registered.release = release != NULL ? release : registered.release;
    for (size_t i = 0; i < 2; i++) {
        process_hooks.heaps[i].source = registered;
    }
}

void *node_hooks_allocate(size_t size)
{
    void *block = registered.allocate(size);
    if (block == NULL) {
        refuse(&last_error, "out of memory: the registered malloc gave no %zu bytes", size);
    }
    return block;
}

void node_hooks_release(void *block)
{
    registered.release(block);
}

/*
 * At the end of a process that is searched for leaks: the links between kept nodes are out of
 * bounds, so that each would seem lost; and a list that was never deleted must not be found through
 * the list of lists.
 */
__attribute__((destructor)) static void end_of_process(void)
{
    if (blocks_are_watched()) {
        node_hooks_cleanup();
        process_hooks.lists = NULL;
    }
}
