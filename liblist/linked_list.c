/*
 * linked_list.c - the list: head, tail and size, and the two hooks through which nodes come and go.
 *
 * create_node and delete_node are the only places where a node is taken or given back. With an
 * allocator that has a front they are a handful of inline instructions; with any other, one call.
 * 16 bytes per node.
 */
#include "linked_list.h"
#include "alloc/node_front.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "node_hooks.h"
#include <stdint.h>

/*
 * Hook: a node whose members are not set, or NULL. With ask false only what can be had inline: then
 * the caller makes no call on its fast path, keeps no frame, and asks in a function of its own.
 */
static inline struct node *create_node(const struct linked_list *ll, bool ask)
{
    struct node_hooks *hooks = ll->hooks;
    struct node_front *front = hooks->front;
    struct node *node = front != NULL ? node_front_take(front) : NULL;
    if (UNLIKELY(node == NULL) && ask) {
        node = node_allocator_allocate(hooks->allocator, sizeof(*node));
    }
    return node;
}

/* The allocator takes a node back without a front, or is told that a page is done. */
static __attribute__((noinline)) bool hand_over(struct node_hooks *hooks, struct node *node,
                                                struct node_page *done)
{
    struct node_allocator *allocator = hooks->allocator;
    if (done != NULL) {
        allocator->type->page_done(allocator, hooks->front, done);
    } else {
        node_allocator_release(allocator, node, sizeof(*node));
    }
    return true;
}

/* Hook: give a node back. Always true, so that a caller can end with it. */
static inline bool delete_node(const struct linked_list *ll, struct node *node)
{
    struct node_front *front = ll->hooks->front;
    struct node_page *done = front != NULL ? node_front_give(front, node) : NULL;
    return LIKELY(front != NULL && done == NULL) ? true : hand_over(ll->hooks, node, done);
}

static inline size_t size_of(const struct linked_list *ll)
{
    return ll->inserted - ll->removed;
}

/* Whether size, tail and links agree. Linear. */
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

/* After a step, in debug builds: list and front are whole (see pw_step_is_due). */
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
    pw_assert(is_whole(ll) && ll->blocks == 0);
    /* Also without nodes: an allocator may tidy up when a list goes. */
    node_allocator_release_chain(ll->hooks->allocator, ll->head, ll->tail, size_of(ll),
                                 sizeof(struct node));
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

/* Put a chain of count nodes behind the last. Always true. */
static inline bool link_chain(struct linked_list *ll, struct node *head, struct node *tail,
                              size_t count)
{
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
    struct node *node = create_node(ll, true);
    return node != NULL && link_end(ll, node, data);
}

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    if (UNLIKELY(ll == NULL)) {
        return false;
    }
    struct node *node = create_node(ll, false);
    return LIKELY(node != NULL) ? link_end(ll, node, data) : ask_and_link_end(ll, data);
}

/* Nodes that the front has never given out since their page was opened, when it gives those. */
static inline size_t carvable(const struct node_front *front)
{
    const bool carves =
        front != NULL && front->own.free_list == NULL && front->block_bytes == sizeof(struct node);
    return carves ? (size_t)(front->carve_end - front->carve) / sizeof(struct node) : 0;
}

/*
 * Hook: that many of these, one for each of data, linked in order; the link of *last is not set.
 * Two stores per node and no branch.
 */
static inline struct node *carve_nodes(struct node_front *front, const unsigned int *data,
                                       size_t count, struct node **last)
{
    struct node *nodes = (struct node *)front->carve;
    pw_assert(count > 0 && count <= carvable(front));
    for (size_t i = 0; i < count; i++) {
        nodes[i].next = &nodes[i + 1];
        nodes[i].data = data[i];
    }
    front->carve = (unsigned char *)&nodes[count];
    *last = &nodes[count - 1];
    return nodes;
}

/* Nodes that cannot be carved all together: from several pages, or one by one. */
static __attribute__((noinline)) bool ask_and_link_all(struct linked_list *ll,
                                                       const unsigned int *data, size_t count)
{
    struct node *head = NULL;
    struct node *tail = NULL;
    struct node **link = &head;
    for (size_t made = 0; made < count;) {
        const size_t room = carvable(ll->hooks->front);
        const size_t run = room == 0 ? 1 : room < count - made ? room : count - made;
        if (room > 0) {
            *link = carve_nodes(ll->hooks->front, data + made, run, &tail);
        } else {
            struct node *node = create_node(ll, true);
            if (UNLIKELY(node == NULL)) {
                node_allocator_release_chain(ll->hooks->allocator, head, tail, made, sizeof(*node));
                return false;
            }
            node->data = data[made];
            *link = tail = node;
        }
        link = &tail->next;
        made += run;
    }
    return link_chain(ll, head, tail, count);
}

bool linked_list_insert_end_all(struct linked_list *ll, const unsigned int *data, size_t count)
{
    if (UNLIKELY(ll == NULL || count == 0 || data == NULL)) {
        return ll != NULL && count == 0;
    }
    struct node *last;
    if (UNLIKELY(carvable(ll->hooks->front) < count)) {
        return ask_and_link_all(ll, data, count);
    }
    struct node *first = carve_nodes(ll->hooks->front, data, count, &last);
    return link_chain(ll, first, last, count);
}

void *linked_list_take_block(struct linked_list *ll, size_t bytes)
{
    void *block = node_allocator_allocate(ll->hooks->allocator, bytes);
    ll->blocks += block != NULL;
    return block;
}

void linked_list_give_block(struct linked_list *ll, void *block, size_t bytes)
{
    pw_assert(ll->blocks > 0);
    node_allocator_release(ll->hooks->allocator, block, bytes);
    ll->blocks--;
}

void linked_list_give_chain(struct linked_list *ll, void *head, void *tail, size_t count,
                            size_t bytes)
{
    pw_assert(ll->blocks >= count);
    node_allocator_release_chain(ll->hooks->allocator, head, tail, count, bytes);
    ll->blocks -= count;
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

/* Add an element behind a node. */
static bool insert_after(struct linked_list *ll, struct node *before, unsigned int data)
{
    struct node *node = create_node(ll, true);
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
    struct node *node = create_node(ll, true);
    return node != NULL && link_front(ll, node, data);
}

bool linked_list_insert_front(struct linked_list *ll, unsigned int data)
{
    if (UNLIKELY(ll == NULL)) {
        return false;
    }
    struct node *node = create_node(ll, false);
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
    *data = removed->data;
    ll->head = removed->next;
    ll->removed++;
    list_step(ll);
    return delete_node(ll, removed);
}

/*
 * Hook: give back the first of a chain, and up to count nodes that lie side by side with it; copy
 * their values unless data is NULL. Returns how many; *next: the node behind them.
 */
static inline size_t delete_nodes(const struct linked_list *ll, struct node *node,
                                  unsigned int *data, size_t count, struct node **next)
{
    struct node_front *front = ll->hooks->front;
    const size_t run = front != NULL && front->block_bytes == sizeof(*node)
                           ? node_front_run(front, node, count, sizeof(*node))
                           : 0;
    if (run == 0) {
        *next = node->next;
        if (data != NULL) {
            data[0] = node->data;
        }
        delete_node(ll, node);
        return 1;
    }
    *next = node[run - 1].next;
    for (size_t i = 0; data != NULL && i < run; i++) {
        data[i] = node[i].data;
    }
    struct node_page *done = node_front_give_run(front, node, run);
    if (UNLIKELY(done != NULL)) {
        hand_over(ll->hooks, node, done);
    }
    return run;
}

static inline __attribute__((always_inline)) size_t remove_nodes(struct linked_list *ll,
                                                                 unsigned int *data, size_t count)
{
    struct node *node = ll->head;
    size_t removed = 0;
    while (removed < count && node != NULL) {
        removed +=
            delete_nodes(ll, node, data != NULL ? data + removed : NULL, count - removed, &node);
    }
    ll->head = node;
    ll->removed += removed;
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
    before->next = removed->next;
    if (removed->next == NULL) {
        ll->tail = before;
    }
    ll->removed++;
    list_step(ll);
    return delete_node(ll, removed);
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
