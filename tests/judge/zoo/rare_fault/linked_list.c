/* Forgets the tail when the last of exactly five elements is removed: only a long run shows it. */
#define linked_list_remove good_remove
#include "good_list.inc"
#undef linked_list_remove

bool linked_list_remove(struct linked_list *ll, size_t index)
{
    bool is_rare = ll != NULL && ll->size == 5 && index == 4;
    struct node *tail = is_rare ? ll->head->next : NULL;
    bool done = good_remove(ll, index);
    if (is_rare && done) {
        ll->tail = tail;
    }
    return done;
}
