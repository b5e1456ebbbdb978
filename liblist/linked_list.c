/*
 * linked_list.c - the list: head, tail and size, and the two hooks through which nodes come and go.
 *
 * create_node and delete_node are the only places where a node is taken or given back. With an
 * allocator that has a front they are a handful of inline instructions; with any other, one call.
 * 16 bytes a node.
 */
#include "linked_list.h"
#include "node_front.h"
#include "node_hooks.h"
#include <stdint.h>

#define LIKELY(condition)   __builtin_expect((condition), 1)
#define UNLIKELY(condition) __builtin_expect((condition), 0)

/* Hook: a node whose members are not set, or NULL. */
static inline struct node *create_node(const struct linked_list *ll)
{
    struct node_hooks *hooks = ll->hooks;
    struct node_front *front = hooks->front;
    if (front != NULL) {
        struct node *node = node_front_take(front);
        if (LIKELY(node != NULL)) {
            return node;
        }
    }
    return node_allocator_allocate(hooks->allocator, sizeof(struct node));
}

/* Hook: give a node back. */
static inline void delete_node(const struct linked_list *ll, struct node *node)
{
    struct node_hooks *hooks = ll->hooks;
    struct node_front *front = hooks->front;
    if (front == NULL) {
        node_allocator_release(hooks->allocator, node, sizeof(*node));
        return;
    }
    struct node_page *done = node_front_give(front, node);
    if (UNLIKELY(done != NULL)) {
        hooks->allocator->type->page_done(hooks->allocator, front, done);
    }
}

struct linked_list *linked_list_create(void)
{
    struct node_hooks *hooks = node_hooks_acquire();
    if (hooks == NULL) {
        return NULL;
    }
    struct linked_list *ll = linked_list_allocate(sizeof(*ll));
    if (ll == NULL) {
        return NULL;
    }
    ll->head = NULL;
    ll->tail = NULL;
    ll->size = 0;
    node_hooks_add(hooks, ll);
    return ll;
}

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    /* Also without nodes: an allocator may tidy up when a list goes. */
    node_allocator_release_chain(ll->hooks->allocator, ll->head, ll->tail, ll->size,
                                 sizeof(struct node));
    node_hooks_remove(ll->hooks, ll);
    linked_list_release(ll);
    return true;
}

size_t linked_list_size(struct linked_list *ll)
{
    return ll != NULL ? ll->size : SIZE_MAX;
}

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    if (UNLIKELY(ll == NULL)) {
        return false;
    }
    struct node *node = create_node(ll);
    if (UNLIKELY(node == NULL)) {
        return false;
    }
    node->next = NULL;
    node->data = data;
    if (UNLIKELY(ll->head == NULL)) {
        ll->head = node;
    } else {
        ll->tail->next = node;
    }
    ll->tail = node;
    ll->size++;
    return true;
}

bool linked_list_insert_front(struct linked_list *ll, unsigned int data)
{
    if (ll == NULL) {
        return false;
    }
    struct node *node = create_node(ll);
    if (node == NULL) {
        return false;
    }
    node->next = ll->head;
    node->data = data;
    if (ll->head == NULL) {
        ll->tail = node;
    }
    ll->head = node;
    ll->size++;
    return true;
}

/* The node at an index below size. */
static struct node *node_at(const struct linked_list *ll, size_t index)
{
    struct node *node = ll->head;
    while (index-- > 0) {
        node = node->next;
    }
    return node;
}

bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data)
{
    if (ll == NULL || index > ll->size) {
        return false;
    }
    if (index == 0) {
        return linked_list_insert_front(ll, data);
    }
    if (index == ll->size) {
        return linked_list_insert_end(ll, data);
    }
    struct node *node = create_node(ll);
    if (node == NULL) {
        return false;
    }
    struct node *before = node_at(ll, index - 1);
    node->next = before->next;
    node->data = data;
    before->next = node;
    ll->size++;
    return true;
}

size_t linked_list_find(struct linked_list *ll, unsigned int data)
{
    size_t index = 0;
    if (ll == NULL) {
        return SIZE_MAX;
    }
    for (const struct node *node = ll->head; node != NULL; node = node->next, index++) {
        if (node->data == data) {
            return index;
        }
    }
    return SIZE_MAX;
}

bool linked_list_remove(struct linked_list *ll, size_t index)
{
    if (UNLIKELY(ll == NULL || index >= ll->size)) {
        return false;
    }
    struct node *removed = ll->head;
    if (LIKELY(index == 0)) {
        ll->head = removed->next;
    } else {
        struct node *before = node_at(ll, index - 1);
        removed = before->next;
        before->next = removed->next;
        if (removed->next == NULL) {
            ll->tail = before;
        }
    }
    ll->size--;
    delete_node(ll, removed);
    return true;
}

struct iterator *linked_list_create_iterator(struct linked_list *ll, size_t index)
{
    if (ll == NULL || index >= ll->size) {
        return NULL;
    }
    struct iterator *iter = linked_list_allocate(sizeof(*iter));
    if (iter == NULL) {
        return NULL;
    }
    iter->ll = ll;
    iter->current_node = node_at(ll, index);
    iter->current_index = index;
    iter->data = iter->current_node->data;
    return iter;
}

bool linked_list_delete_iterator(struct iterator *iter)
{
    if (iter == NULL) {
        return false;
    }
    linked_list_release(iter);
    return true;
}

bool linked_list_iterate(struct iterator *iter)
{
    if (iter == NULL || iter->current_node == NULL || iter->current_node->next == NULL) {
        return false;
    }
    iter->current_node = iter->current_node->next;
    iter->current_index++;
    iter->data = iter->current_node->data;
    return true;
}

bool linked_list_check(struct linked_list *ll)
{
    char message[200];
    if (ll == NULL) {
        return false;
    }
    size_t size = 0;
    const struct node *last = NULL;
    for (const struct node *node = ll->head; node != NULL; node = node->next) {
        last = node;
        if (++size > ll->size) {
            return false;
        }
    }
    return size == ll->size && (size == 0 || last == ll->tail) &&
           node_allocator_check(ll->hooks->allocator, message, sizeof(message));
}
