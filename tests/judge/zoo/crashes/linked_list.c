/* find runs past the end when there is no match. */
#define linked_list_find good_find
#include "good_list.inc"
#undef linked_list_find

size_t linked_list_find(struct linked_list *ll, unsigned int data)
{
    size_t index = 0;
    for (struct node *node = ll == NULL ? NULL : ll->head; ll != NULL; node = node->next, index++) {
        if (node->data == data) {
            return index;
        }
    }
    return SIZE_MAX;
}
