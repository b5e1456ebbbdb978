/* Takes NULL for a function that it is to use, as many do: the header asks for nothing else. */
#include "linked_list.h"
#include <stdlib.h>
#define malloc                      NULL
#define free                        NULL
#define linked_list_final_cleanup   nothing_to_clean_up
#define linked_list_register_malloc good_register_malloc
#define linked_list_register_free   good_register_free
void nothing_to_clean_up(void);
bool good_register_malloc(void *(*function)(size_t));
bool good_register_free(void (*function)(void *));
#include "good_list.inc"
#undef linked_list_register_malloc
#undef linked_list_register_free

bool linked_list_register_malloc(void *(*function)(size_t))
{
    get = function;
    return true;
}

bool linked_list_register_free(void (*function)(void *))
{
    give = function;
    return true;
}
