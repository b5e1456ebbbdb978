/* Level 1, and one fault: find gives the index after the one that it found. */
#include "linked_list.h"
#include <stdlib.h>
#define malloc                    NULL
#define free                      NULL
#define linked_list_final_cleanup nothing_to_clean_up
#define linked_list_find          good_find
void nothing_to_clean_up(void);
size_t good_find(struct linked_list *ll, unsigned int data);
#include "good_list.inc"
#undef linked_list_find

size_t linked_list_find(struct linked_list *ll, unsigned int data)
{
    size_t index = good_find(ll, data);
    return index == SIZE_MAX ? index : index + 1;
}
