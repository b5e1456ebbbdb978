/* Walks to the end for every push, and hides it by a wait in each. */
#define linked_list_insert_end good_insert_end
#include "good_list.inc"
#undef linked_list_insert_end

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    struct node *volatile last = ll == NULL ? NULL : ll->head;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    for (volatile int wait = 0; wait < 4000; wait++) {
    }
    return good_insert_end(ll, data);
}
