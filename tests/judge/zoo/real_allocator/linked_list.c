/* A list whose nodes come from node_allocator.c. */
#include "linked_list.h"
#include "node_allocator.h"
#include <stdlib.h>

static void *(*system_get)(size_t);
static void (*system_give)(void *);

static void *get_block(size_t size)
{
    return size == sizeof(struct node) ? (void *)take_node(system_get) : system_get(size);
}

static void give_block(void *block)
{
    keep_node(block);
}

#define malloc                      get_block
#define free                        give_block
#define linked_list_register_malloc unused_register_malloc
#define linked_list_register_free   unused_register_free
#define linked_list_final_cleanup   unused_cleanup
#define linked_list_delete          unused_delete
#define linked_list_delete_iterator unused_delete_iterator
bool unused_delete(struct linked_list *ll);
bool unused_delete_iterator(struct iterator *iter);
bool unused_register_malloc(void *(*function)(size_t));
bool unused_register_free(void (*function)(void *));
void unused_cleanup(void);
#include "good_list.inc"
#undef malloc
#undef free
#undef linked_list_register_malloc
#undef linked_list_register_free
#undef linked_list_final_cleanup
#undef linked_list_delete
#undef linked_list_delete_iterator

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    while (linked_list_remove(ll, 0)) {
    }
    system_give(ll);
    return true;
}

bool linked_list_delete_iterator(struct iterator *iter)
{
    if (iter != NULL) {
        system_give(iter);
    }
    return iter != NULL;
}

bool linked_list_register_malloc(void *(*function)(size_t))
{
    system_get = function == NULL ? system_get : function;
    return function != NULL;
}

bool linked_list_register_free(void (*function)(void *))
{
    system_give = function == NULL ? system_give : function;
    return function != NULL;
}

void linked_list_final_cleanup(void)
{
    give_all_nodes(system_give);
}
