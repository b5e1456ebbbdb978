/* Refuses the index size. */
#define linked_list_insert good_insert
#include "good_list.inc"
#undef linked_list_insert

bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data)
{
    return ll != NULL && (index == 0 || index < ll->size) && good_insert(ll, index, data);
}
