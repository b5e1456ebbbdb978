// C++ behind the C interface: a node in a placement new, an own member in the list.
#include "linked_list.h"

#include <cstdlib>
#include <new>

namespace {

void *(*get)(size_t) = std::malloc;
void (*give)(void *) = std::free;

template <class T>
T *make(T value)
{
    void *place = get(sizeof(T));
    return place == nullptr ? nullptr : new (place) T(value);
}

node **link_at(linked_list *ll, size_t index)
{
    node **link = &ll->head;
    while (index-- > 0) {
        link = &(*link)->next;
    }
    return link;
}

} // namespace

extern "C" {

linked_list *linked_list_create()
{
    return make(linked_list{nullptr, nullptr, 0});
}

bool linked_list_delete(linked_list *ll)
{
    if (ll == nullptr) {
        return false;
    }
    while (linked_list_remove(ll, 0)) {
    }
    give(ll);
    return true;
}

size_t linked_list_size(linked_list *ll)
{
    return ll == nullptr ? SIZE_MAX : ll->size;
}

bool linked_list_insert(linked_list *ll, size_t index, unsigned data)
{
    if (ll == nullptr || index > ll->size) {
        return false;
    }
    node *made = make(node{nullptr, data});
    if (made == nullptr) {
        return false;
    }
    node **link = index > 0 && index == ll->size ? &ll->tail->next : link_at(ll, index);
    made->next = *link;
    *link = made;
    if (made->next == nullptr) {
        ll->tail = made;
    }
    ll->size++;
    return true;
}

bool linked_list_insert_end(linked_list *ll, unsigned data)
{
    return linked_list_insert(ll, ll == nullptr ? 0 : ll->size, data);
}

bool linked_list_insert_front(linked_list *ll, unsigned data)
{
    return linked_list_insert(ll, 0, data);
}

size_t linked_list_find(linked_list *ll, unsigned data)
{
    size_t index = 0;
    for (node *at = ll == nullptr ? nullptr : ll->head; at != nullptr; at = at->next, index++) {
        if (at->data == data) {
            return index;
        }
    }
    return SIZE_MAX;
}

bool linked_list_remove(linked_list *ll, size_t index)
{
    if (ll == nullptr || index >= ll->size) {
        return false;
    }
    node *before = index == 0 ? nullptr : ll->head;
    for (size_t i = 1; i < index; i++) {
        before = before->next;
    }
    node **link = before == nullptr ? &ll->head : &before->next;
    node *gone = *link;
    *link = gone->next;
    if (gone == ll->tail) {
        ll->tail = before;
    }
    give(gone);
    ll->size--;
    return true;
}

iterator *linked_list_create_iterator(linked_list *ll, size_t index)
{
    if (ll == nullptr || index >= ll->size) {
        return nullptr;
    }
    node *at = *link_at(ll, index);
    return make(iterator{ll, at, index, at->data});
}

bool linked_list_delete_iterator(iterator *iter)
{
    if (iter == nullptr) {
        return false;
    }
    give(iter);
    return true;
}

bool linked_list_iterate(iterator *iter)
{
    if (iter == nullptr || iter->current_node->next == nullptr) {
        return false;
    }
    iter->current_node = iter->current_node->next;
    iter->current_index++;
    iter->data = iter->current_node->data;
    return true;
}

bool linked_list_register_malloc(void *(*function)(size_t))
{
    get = function == nullptr ? get : function;
    return function != nullptr;
}

bool linked_list_register_free(void (*function)(void *))
{
    give = function == nullptr ? give : function;
    return function != nullptr;
}

void linked_list_final_cleanup()
{
}
}
