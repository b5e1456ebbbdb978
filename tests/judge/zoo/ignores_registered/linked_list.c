/* Takes the registered malloc politely and never calls it. */
#define linked_list_register_malloc good_register_malloc
#define linked_list_register_free   good_register_free
#include "good_list.inc"
#undef linked_list_register_malloc
#undef linked_list_register_free

bool linked_list_register_malloc(void *(*function)(size_t))
{
    return function != NULL;
}

bool linked_list_register_free(void (*function)(void *))
{
    return function != NULL;
}
