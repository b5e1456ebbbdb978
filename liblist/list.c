/*
 * list.c - the list of linked_list.h and linked_list_more.h: head, tail, size; 16 bytes per node.
 *
 * Nodes come and go through the two hooks, create and delete (create_delete.h); no function here
 * takes one from an allocator or gives one back.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "create_delete.h"
#include "linked_list_more.h"
#include <stdint.h>

static inline size_t size_of(const struct linked_list *ll)
{
    return ll->inserted - ll->removed;
}

/* True if size, tail and links agree. Linear. */
static bool is_whole(const struct linked_list *ll)
{
    size_t size = 0;
    const struct node *last = NULL;
    for (const struct node *node = ll->head; node != NULL && size <= size_of(ll); size++) {
        last = node;
        node = node->next;
    }
    return ll->removed <= ll->inserted && size == size_of(ll) && (size == 0 || last == ll->tail);
}

/* After a step, in debug builds: check list and front (see pw_step_is_due). */
#ifdef PW_DEBUG
static bool step_is_sound(const struct linked_list *ll)
{
    char message[200];
    return !pw_step_is_due(ll->inserted + ll->removed) ||
           (is_whole(ll) && (ll->hooks->front == NULL ||
                             node_allocator_check(ll->hooks->allocator, message, sizeof(message))));
}
#endif
#define list_step(ll) PW_DEBUG_ONLY(pw_assert(step_is_sound(ll)))

struct linked_list *linked_list_create(void)
{
    struct node_hooks *hooks = node_hooks_acquire();
    struct linked_list *ll = hooks != NULL ? linked_list_allocate(sizeof(*ll)) : NULL;
    if (ll == NULL) {
        if (hooks == NULL) {
            node_hooks_say_refusal();
        }
        return NULL;
    }
    *ll = (struct linked_list){.hooks = hooks, .next_list = hooks->lists};
    if (hooks->lists != NULL) {
        pw_assert(hooks->lists->previous_list == NULL);
        hooks->lists->previous_list = ll;
    }
    hooks->lists = ll;
    return ll;
}

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    pw_assert(is_whole(ll));
    delete_all_nodes(ll->hooks, ll->head, ll->tail, size_of(ll));
    pw_assert((ll->previous_list == NULL) == (ll->hooks->lists == ll));
    *(ll->previous_list != NULL ? &ll->previous_list->next_list : &ll->hooks->lists) =
        ll->next_list;
    if (ll->next_list != NULL) {
        ll->next_list->previous_list = ll->previous_list;
    }
    linked_list_release(ll);
    return true;
}

size_t linked_list_size(struct linked_list *ll)
{
    return ll != NULL ? size_of(ll) : SIZE_MAX;
}

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
    struct node *node = create_node(ll->hooks);
    return node != NULL && link_end(ll, node, data);
}

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    if (UNLIKELY(ll == NULL)) {
        return false;
    }
    struct node *node = create_node_inline(ll->hooks);
    return LIKELY(node != NULL) ? link_end(ll, node, data) : ask_and_link_end(ll, data);
}

/* Create nodes that one call cannot give: from several pages, or one by one. */
static __attribute__((noinline)) bool ask_and_link_all(struct linked_list *ll,
                                                       const unsigned int *data, size_t count)
{
    struct node *head = NULL;
    struct node *tail = NULL;
    struct node **link = &head;
    for (size_t made = 0; made < count;) {
        const size_t room = create_nodes_max(ll->hooks);
        const size_t run = room == 0 ? 1 : room < count - made ? room : count - made;
        if (room > 0) {
            *link = create_nodes(ll->hooks, data + made, run, &tail);
        } else {
            struct node *node = create_node(ll->hooks);
            if (UNLIKELY(node == NULL)) {
                delete_all_nodes(ll->hooks, head, tail, made);
                return false;
            }
            node->data = data[made];
            *link = tail = node;
        }
        link = &tail->next;
        made += run;
        pw_assert(made <= count);
    }
    return link_chain(ll, head, tail, count);
}

bool linked_list_insert_end_all(struct linked_list *ll, const unsigned int *data, size_t count)
{
    if (UNLIKELY(ll == NULL || count == 0 || data == NULL)) {
        return ll != NULL && count == 0;
    }
    struct node *last;
    if (UNLIKELY(create_nodes_max(ll->hooks) < count)) {
        return ask_and_link_all(ll, data, count);
    }
    struct node *first = create_nodes(ll->hooks, data, count, &last);
    return link_chain(ll, first, last, count);
}

/* The node at an index below size. */
static struct node *node_at(const struct linked_list *ll, size_t index)
{
    pw_assert(index < size_of(ll));
    struct node *node = ll->head;
    while (index-- > 0) {
        node = node->next;
    }
    return node;
}

/* Add an element after a node. */
static bool insert_after(struct linked_list *ll, struct node *before, unsigned int data)
{
    struct node *node = create_node(ll->hooks);
    if (node == NULL) {
        return false;
    }
    node->next = before->next;
    node->data = data;
    before->next = node;
    if (node->next == NULL) {
        ll->tail = node;
    }
    ll->inserted++;
    list_step(ll);
    return true;
}

static inline bool link_front(struct linked_list *ll, struct node *node, unsigned int data)
{
    struct node *head = ll->head;
    node->next = head;
    node->data = data;
    ll->head = node;
    if (UNLIKELY(head == NULL)) {
        ll->tail = node;
    }
    ll->inserted++;
    list_step(ll);
    return true;
}

static __attribute__((noinline)) bool ask_and_link_front(struct linked_list *ll, unsigned int data)
{
    struct node *node = create_node(ll->hooks);
    return node != NULL && link_front(ll, node, data);
}

bool linked_list_insert_front(struct linked_list *ll, unsigned int data)
{
    if (UNLIKELY(ll == NULL)) {
        return false;
    }
    struct node *node = create_node_inline(ll->hooks);
    return LIKELY(node != NULL) ? link_front(ll, node, data) : ask_and_link_front(ll, data);
}

bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data)
{
    if (ll == NULL || index > size_of(ll)) {
        return false;
    }
    if (index == size_of(ll)) {
        return linked_list_insert_end(ll, data);
    }
    return index == 0 ? linked_list_insert_front(ll, data)
                      : insert_after(ll, node_at(ll, index - 1), data);
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

bool linked_list_remove_front(struct linked_list *ll, unsigned int *data)
{
    struct node *removed = ll != NULL ? ll->head : NULL;
    if (UNLIKELY(removed == NULL || data == NULL)) {
        return false;
    }
    pw_assert(ll->removed < ll->inserted);
    *data = removed->data;
    ll->head = removed->next;
    ll->removed++;
    list_step(ll);
    return delete_node(ll->hooks, removed);
}

static inline __attribute__((always_inline)) size_t remove_nodes(struct linked_list *ll,
                                                                 unsigned int *data, size_t count)
{
    struct node *node = ll->head;
    size_t removed = 0;
    while (removed < count && node != NULL) {
        removed += delete_nodes(ll->hooks, node, data != NULL ? data + removed : NULL,
                                count - removed, &node);
    }
    ll->head = node;
    ll->removed += removed;
    pw_assert(removed <= count && ll->removed <= ll->inserted);
    list_step(ll);
    return removed;
}

size_t linked_list_remove_front_all(struct linked_list *ll, unsigned int *data, size_t count)
{
    return ll != NULL && data != NULL ? remove_nodes(ll, data, count) : 0;
}

size_t linked_list_drop_front(struct linked_list *ll, size_t count)
{
    return ll != NULL ? remove_nodes(ll, NULL, count) : 0;
}

bool linked_list_remove(struct linked_list *ll, size_t index)
{
    unsigned int data;
    if (ll == NULL || index >= size_of(ll)) {
        return false;
    }
    if (index == 0) {
        return linked_list_remove_front(ll, &data);
    }
    struct node *before = node_at(ll, index - 1);
    struct node *removed = before->next;
    pw_assert(removed != NULL);
    before->next = removed->next;
    if (removed->next == NULL) {
        ll->tail = before;
    }
    ll->removed++;
    list_step(ll);
    return delete_node(ll->hooks, removed);
}

struct iterator *linked_list_create_iterator(struct linked_list *ll, size_t index)
{
    if (ll == NULL || index >= size_of(ll)) {
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
    return ll != NULL && is_whole(ll) &&
           node_allocator_check(ll->hooks->allocator, message, sizeof(message));
}
