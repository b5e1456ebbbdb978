/* At the end of the list the iterator has no node any more, and must not be moved again: the
 * published header leaves that open. */
#include "linked_list.h"
#include <stdlib.h>
#define malloc                    NULL
#define free                      NULL
#define linked_list_final_cleanup nothing_to_clean_up
#define linked_list_iterate       good_iterate
void nothing_to_clean_up(void);
bool good_iterate(struct iterator *iter);
#include "good_list.inc"
#undef linked_list_iterate

bool linked_list_iterate(struct iterator *iter)
{
    if (iter == NULL) {
        return false;
    }
    iter->current_node = iter->current_node->next;
    iter->current_index++;
    if (iter->current_node != NULL) {
        iter->data = iter->current_node->data;
    }
    return iter->current_node != NULL;
}
