/*
 * list.c - the list of linked_list.h and linked_list_more.h: head, tail, two counts; 16 bytes per
 * node.
 *
 * Nodes come and go through the two hooks, create and delete (create_delete.h); no function here
 * takes one from an allocator or gives one back.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "linked_list_more.h"
#include "list_ends.h"
#include <stdint.h>
#include <string.h>

struct linked_list *linked_list_create(void)
{
    struct linked_list *ll = linked_list_allocate(sizeof(*ll));
    if (ll == NULL) {
        return NULL;
    }
    if (!node_hooks_open()) {
        linked_list_release(ll);
        node_hooks_say_refusal();
        return NULL;
    }
    memset(ll, 0, sizeof(*ll));
    return ll;
}

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    pw_assert(list_is_whole(ll));
    if (ll->head != NULL) {
        delete_all_nodes(ll->head, ll->tail, size_of(ll));
    }
    linked_list_release(ll);
    return true;
}

size_t linked_list_size(struct linked_list *ll)
{
    return ll != NULL ? size_of(ll) : SIZE_MAX;
}

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    return LIKELY(ll != NULL) && push_end(ll, data);
}

/* Append more values than the front has nodes side by side: page by page, or one by one. */
static __attribute__((noinline)) bool ask_and_link_all(struct linked_list *ll,
                                                       const unsigned int *data, size_t count)
{
    struct node *head = NULL;
    struct node *tail = NULL;
    struct node **link = &head;
    for (size_t made = 0; made < count;) {
        const size_t room = create_nodes_max();
        const size_t next = room == 0 ? 1 : room < count - made ? room : count - made;
        if (room > 0) {
            *link = create_nodes(data + made, next, &tail);
        } else {
            struct node *node = create_node();
            if (UNLIKELY(node == NULL)) {
                if (made > 0) {
                    delete_all_nodes(head, tail, made);
                }
                return false;
            }
            node->data = data[made];
            *link = tail = node;
        }
        link = &tail->next;
        made += next;
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
    if (UNLIKELY(create_nodes_max() < count)) {
        return ask_and_link_all(ll, data, count);
    }
    struct node *first = create_nodes(data, count, &last);
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

/* Add an element where a link is: the head of the list, or the link of one of its nodes. */
static bool insert_at(struct linked_list *ll, struct node **link, unsigned int data)
{
    struct node *node = create_node();
    if (node == NULL) {
        return false;
    }
    node->next = *link;
    node->data = data;
    *link = node;
    if (node->next == NULL) {
        ll->tail = node;
    }
    ll->inserted++;
    list_step(ll);
    return true;
}

bool linked_list_insert_front(struct linked_list *ll, unsigned int data)
{
    return ll != NULL && insert_at(ll, &ll->head, data);
}

bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data)
{
    if (ll == NULL || index > size_of(ll)) {
        return false;
    }
    if (index == size_of(ll)) {
        return push_end(ll, data);
    }
    return insert_at(ll, index == 0 ? &ll->head : &node_at(ll, index - 1)->next, data);
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
    return LIKELY(ll != NULL) && pop_front(ll, data);
}

static inline __attribute__((always_inline)) size_t remove_nodes(struct linked_list *ll,
                                                                 unsigned int *data, size_t count)
{
    struct node *node = ll->head;
    size_t removed = 0;
    while (removed < count && node != NULL) {
        removed += delete_nodes(node, data != NULL ? data + removed : NULL, count - removed, &node);
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
    return delete_node(removed);
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
    return ll != NULL && list_is_whole(ll) &&
           node_allocator_check(node_hooks.allocator, message, sizeof(message));
}
