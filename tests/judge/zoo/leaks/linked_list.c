/* Deletes the list and forgets its nodes. */
#define linked_list_delete good_delete
#include "good_list.inc"
#undef linked_list_delete

bool linked_list_delete(struct linked_list *ll)
{
    if (ll != NULL) {
        give(ll);
    }
    return ll != NULL;
}
