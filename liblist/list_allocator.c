/*
 * list_allocator.c - the part of linked_list.h that chooses the allocator and asks it.
 */
#include "alloc/refuse.h"
#include "linked_list.h"
#include "node_hooks.h"
#include <string.h>

size_t linked_list_live_nodes(void)
{
    size_t nodes = 0;
    for (struct linked_list *ll = node_hooks_current()->lists; ll != NULL; ll = ll->next_list) {
        nodes += ll->inserted - ll->removed + ll->blocks;
    }
    return nodes;
}

bool linked_list_set_allocator(const char *specification)
{
    if (specification == NULL) {
        return refuse(node_hooks_error(), "no allocator is named");
    }
    size_t nodes = linked_list_live_nodes();
    if (nodes > 0) {
        return refuse(node_hooks_error(), "the allocator cannot change while %zu nodes are alive",
                      nodes);
    }
    return node_hooks_choose(node_hooks_current(), specification);
}

const char *linked_list_allocator(void)
{
    struct node_hooks *hooks = node_hooks_acquire();
    return hooks != NULL ? hooks->heap->specification : "";
}

const char *linked_list_error(void)
{
    return node_hooks_error()->message;
}

void linked_list_statistics(struct node_allocator_statistics *statistics)
{
    struct node_hooks *hooks = node_hooks_acquire();
    if (hooks == NULL) {
        memset(statistics, 0xff, sizeof(*statistics)); /* unknown, every one */
        statistics->note[0] = '\0';
        statistics->output_lost = false;
        return;
    }
    node_allocator_statistics(hooks->allocator, statistics);
}

void linked_list_allocator_report(void (*line)(void *context, const char *text), void *context)
{
    node_hooks_report(&(struct node_report){.line = line, .context = context});
}

bool linked_list_register_malloc(void *(*allocate)(size_t))
{
    node_hooks_register(allocate, NULL);
    return allocate != NULL;
}

bool linked_list_register_free(void (*release)(void *))
{
    node_hooks_register(NULL, release);
    return release != NULL;
}

bool linked_list_thread_begin(const char *specification)
{
    return node_hooks_thread_begin(specification);
}

bool linked_list_thread_end(void)
{
    return node_hooks_thread_end();
}

void linked_list_final_cleanup(void)
{
    node_hooks_cleanup();
}

void *linked_list_allocate(size_t size)
{
    return node_hooks_allocate(size);
}

void linked_list_release(void *block)
{
    node_hooks_release(block);
}

const char *linked_list_version(void)
{
    return PW_LIBRARY_VERSION;
}
