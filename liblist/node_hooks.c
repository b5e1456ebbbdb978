/*
 * node_hooks.c - choosing the allocator, the registered malloc and free, and what is alive.
 *
 * One set of hooks serves the whole process. It is opened when the first list is created or when an
 * allocator is chosen, and from then on never closed, only changed.
 */
#include "node_hooks.h"
#include "block_marks.h"
#include "node_front.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct memory_source registered = {.allocate = malloc, .release = free};
static struct node_hooks process_hooks;
static _Thread_local struct node_allocator_error last_error;

/* Open an allocator and close the one before. A refusal changes nothing. */
static bool open_heap(struct node_hooks *hooks, const char *specification)
{
    struct node_heap *before = hooks->heap;
    struct node_heap *heap = &hooks->heaps[before == &hooks->heaps[0]];
    if (!node_heap_open(heap, specification, &registered, &last_error)) {
        return false;
    }
    if (before != NULL) {
        node_heap_close(before);
    }
    hooks->heap = heap;
    hooks->allocator = heap->allocator;
    hooks->front = node_allocator_front(hooks->allocator, sizeof(struct node));
    return true;
}

struct node_hooks *node_hooks_acquire(void)
{
    struct node_hooks *hooks = &process_hooks;
    if (hooks->allocator == NULL) {
        const char *chosen = getenv("LINKED_LIST_ALLOC");
        if (!open_heap(hooks, chosen != NULL && chosen[0] != '\0' ? chosen : "malloc")) {
            return NULL;
        }
    }
    return hooks;
}

void node_hooks_add(struct node_hooks *hooks, struct linked_list *ll)
{
    ll->hooks = hooks;
    ll->previous_list = NULL;
    ll->next_list = hooks->lists;
    if (hooks->lists != NULL) {
        hooks->lists->previous_list = ll;
    }
    hooks->lists = ll;
}

void node_hooks_remove(struct node_hooks *hooks, struct linked_list *ll)
{
    if (ll->previous_list != NULL) {
        ll->previous_list->next_list = ll->next_list;
    } else {
        hooks->lists = ll->next_list;
    }
    if (ll->next_list != NULL) {
        ll->next_list->previous_list = ll->previous_list;
    }
}

size_t linked_list_live_nodes(void)
{
    size_t nodes = 0;
    for (struct linked_list *ll = process_hooks.lists; ll != NULL; ll = ll->next_list) {
        nodes += ll->inserted - ll->removed + ll->blocks;
    }
    return nodes;
}

bool linked_list_set_allocator(const char *specification)
{
    struct node_hooks *hooks = &process_hooks;
    if (specification == NULL) {
        snprintf(last_error.message, sizeof(last_error.message), "no allocator is named");
        return false;
    }
    size_t nodes = linked_list_live_nodes();
    if (nodes > 0) {
        snprintf(last_error.message, sizeof(last_error.message),
                 "the allocator cannot change while %zu nodes are alive", nodes);
        return false;
    }
    return open_heap(hooks, specification);
}

const char *linked_list_allocator(void)
{
    struct node_hooks *hooks = node_hooks_acquire();
    return hooks != NULL ? hooks->heap->specification : "";
}

const char *linked_list_error(void)
{
    return last_error.message;
}

void linked_list_statistics(struct node_allocator_statistics *statistics)
{
    struct node_hooks *hooks = node_hooks_acquire();
    if (hooks == NULL) {
        memset(statistics, 0xff, sizeof(*statistics)); /* unknown, every one */
        statistics->note[0] = '\0';
        return;
    }
    node_allocator_statistics(hooks->allocator, statistics);
}

void linked_list_allocator_report(void (*line)(void *context, const char *text), void *context)
{
    if (process_hooks.allocator != NULL) {
        node_allocator_report(process_hooks.allocator,
                              &(struct node_report){.line = line, .context = context});
    }
}

bool linked_list_register_malloc(void *(*allocate)(size_t))
{
    if (allocate == NULL) {
        return false;
    }
    registered.allocate = allocate;
    for (size_t i = 0; i < 2; i++) {
        process_hooks.heaps[i].source.allocate = allocate;
    }
    return true;
}

bool linked_list_register_free(void (*release)(void *))
{
    if (release == NULL) {
        return false;
    }
    registered.release = release;
    for (size_t i = 0; i < 2; i++) {
        process_hooks.heaps[i].source.release = release;
    }
    return true;
}

void linked_list_final_cleanup(void)
{
    if (process_hooks.allocator != NULL) {
        node_allocator_trim(process_hooks.allocator);
    }
}

void *linked_list_allocate(size_t size)
{
    void *block = registered.allocate(size);
    if (block == NULL) {
        snprintf(last_error.message, sizeof(last_error.message),
                 "out of memory: the registered malloc gave no %zu bytes", size);
    }
    return block;
}

void linked_list_release(void *block)
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
        linked_list_final_cleanup();
        process_hooks.lists = NULL;
    }
}

const char *linked_list_version(void)
{
    return PW_LIBRARY_VERSION;
}
