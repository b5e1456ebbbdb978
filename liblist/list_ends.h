/*
 * list_ends.h - push at the end of a list, pop from its front: inline, for the list and the queue;
 * private to both libraries.
 *
 * libqueue.so compiles them in, so that a push or a pop through queue.h is one call. What a front
 * cannot do by itself is a call of liblinked_list.so through node_calls (node_hooks.h). Both
 * libraries must be of one version.
 */
#pragma once

#include "create_delete.h"

static inline size_t size_of(const struct linked_list *ll)
{
    return ll->inserted - ll->removed;
}

/* True if size, tail and links agree. Linear. */
static inline bool list_is_whole(const struct linked_list *ll)
{
    size_t size = 0;
    const struct node *last = NULL;
    for (const struct node *node = ll->head; node != NULL && size <= size_of(ll); size++) {
        last = node;
        node = node->next;
    }
    return ll->removed <= ll->inserted && size == size_of(ll) && (size == 0 || last == ll->tail);
}

/* After a step, in debug builds: check the list (see pw_step_is_due). */
#define list_step(ll)                                                                              \
    PW_DEBUG_ONLY(pw_assert(!pw_step_is_due((ll)->inserted + (ll)->removed) || list_is_whole(ll)))

/* Put a chain of count nodes after the last. Always true. */
static inline bool link_chain(struct linked_list *ll, struct node *head, struct node *tail,
                              size_t count)
{
    pw_assert(count > 0 && (ll->head == NULL) == (size_of(ll) == 0));
    tail->next = NULL;
    if (UNLIKELY(ll->head == NULL)) {
        ll->head = head;
    } else {
        ll->tail->next = head;
    }
    ll->tail = tail;
    ll->inserted += count;
    list_step(ll);
    return true;
}

static inline bool link_end(struct linked_list *ll, struct node *node, unsigned int data)
{
    node->data = data;
    return link_chain(ll, node, node, 1);
}

static __attribute__((noinline)) bool ask_and_link_end(struct linked_list *ll, unsigned int data)
{
    struct node *node = ask_node();
    return node != NULL && link_end(ll, node, data);
}

/* Add an element after the last; false when out of memory. */
static inline bool push_end(struct linked_list *ll, unsigned int data)
{
    struct node *node = create_node_inline();
    return LIKELY(node != NULL) ? link_end(ll, node, data) : ask_and_link_end(ll, data);
}

/* Remove the first element and give its value; false when the list is empty, or data is NULL. */
static inline bool pop_front(struct linked_list *ll, unsigned int *data)
{
    struct node *removed = ll->head;
    if (UNLIKELY(removed == NULL || data == NULL)) {
        return false;
    }
    pw_assert(ll->removed < ll->inserted);
    *data = removed->data;
    ll->head = removed->next;
    ll->removed++;
    list_step(ll);
    return delete_node(removed);
}
