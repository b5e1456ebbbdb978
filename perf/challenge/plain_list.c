/*
 * plain_list.c - the reference of the judge: the list as a first good hand-in has it.
 *
 * One malloc per node, one free per removal, a tail pointer and a count. A submission's speed is a
 * multiple of its speed; the zoo of the tests puts one fault each on top of it.
 */
#include <linked_list.h>
#include <stdlib.h>

static void *(*get)(size_t) = malloc;
static void (*give)(void *) = free;

struct linked_list *linked_list_create(void)
{
    struct linked_list *ll = get(sizeof(*ll));
    if (ll != NULL) {
        ll->head = ll->tail = NULL;
        ll->size = 0;
    }
    return ll;
}

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    for (struct node *node = ll->head; node != NULL;) {
        struct node *next = node->next;
        give(node);
        node = next;
    }
    give(ll);
    return true;
}

size_t linked_list_size(struct linked_list *ll)
{
    return ll == NULL ? SIZE_MAX : ll->size;
}

bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data)
{
    if (ll == NULL || index > ll->size) {
        return false;
    }
    struct node *node = get(sizeof(*node));
    if (node == NULL) {
        return false;
    }
    node->data = data;
    if (index > 0 && index == ll->size) {
        node->next = NULL;
        ll->tail = ll->tail->next = node;
    } else {
        struct node **link = &ll->head;
        for (size_t i = 0; i < index; i++) {
            link = &(*link)->next;
        }
        node->next = *link;
        *link = node;
        if (node->next == NULL) {
            ll->tail = node;
        }
    }
    ll->size++;
    return true;
}

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    return ll != NULL && linked_list_insert(ll, ll->size, data);
}

bool linked_list_insert_front(struct linked_list *ll, unsigned int data)
{
    return linked_list_insert(ll, 0, data);
}

size_t linked_list_find(struct linked_list *ll, unsigned int data)
{
    size_t index = 0;
    if (ll == NULL) {
        return SIZE_MAX;
    }
    for (struct node *node = ll->head; node != NULL; node = node->next, index++) {
        if (node->data == data) {
            return index;
        }
    }
    return SIZE_MAX;
}

bool linked_list_remove(struct linked_list *ll, size_t index)
{
    if (ll == NULL || index >= ll->size) {
        return false;
    }
    struct node *before = NULL, **link = &ll->head;
    for (size_t i = 0; i < index; i++) {
        before = *link;
        link = &(*link)->next;
    }
    struct node *node = *link;
    *link = node->next;
    if (node->next == NULL) {
        ll->tail = before;
    }
    give(node);
    ll->size--;
    return true;
}

struct iterator *linked_list_create_iterator(struct linked_list *ll, size_t index)
{
    if (ll == NULL || index >= ll->size) {
        return NULL;
    }
    struct iterator *iter = get(sizeof(*iter));
    if (iter == NULL) {
        return NULL;
    }
    iter->ll = ll;
    iter->current_index = index;
    iter->current_node = ll->head;
    for (size_t i = 0; i < index; i++) {
        iter->current_node = iter->current_node->next;
    }
    iter->data = iter->current_node->data;
    return iter;
}

bool linked_list_delete_iterator(struct iterator *iter)
{
    if (iter == NULL) {
        return false;
    }
    give(iter);
    return true;
}

bool linked_list_iterate(struct iterator *iter)
{
    if (iter == NULL || iter->current_node->next == NULL) {
        return false;
    }
    iter->current_node = iter->current_node->next;
    iter->current_index++;
    iter->data = iter->current_node->data;
    return true;
}

bool linked_list_register_malloc(void *(*function)(size_t))
{
    get = function == NULL ? get : function;
    return function != NULL;
}

bool linked_list_register_free(void (*function)(void *))
{
    give = function == NULL ? give : function;
    return function != NULL;
}

void linked_list_final_cleanup(void)
{
}
