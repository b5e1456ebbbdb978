/* Writes over the memory of whoever called it. */
#include <string.h>
#define linked_list_insert_end good_insert_end
#include "good_list.inc"
#undef linked_list_insert_end

bool linked_list_insert_end(struct linked_list *ll, unsigned int data)
{
    bool done = good_insert_end(ll, data);
    char *volatile frame = __builtin_frame_address(0);
    memset(frame, 0x41, 2000);
    return done;
}
