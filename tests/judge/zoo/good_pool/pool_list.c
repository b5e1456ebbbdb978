/* Freed nodes wait for the next push; final_cleanup gives them back. */
#include "linked_list.h"
#include <stdlib.h>

static struct node *kept;
static void *(*real_malloc)(size_t);
static void (*real_free)(void *);
static void *pool_malloc(size_t size);
static void pool_free(void *block);

#define malloc                      pool_malloc
#define free                        pool_free
#define linked_list_register_malloc plain_register_malloc
#define linked_list_register_free   plain_register_free
#define linked_list_final_cleanup   plain_final_cleanup
#define linked_list_delete          plain_delete
#include "good_list.inc"
#undef malloc
#undef free
#undef linked_list_register_malloc
#undef linked_list_register_free
#undef linked_list_final_cleanup
#undef linked_list_delete

static void *pool_malloc(size_t size)
{
    if (size == sizeof(struct node) && kept != NULL) {
        struct node *node = kept;
        kept = node->next;
        return node;
    }
    return real_malloc == NULL ? malloc(size) : real_malloc(size);
}

static void give_back(void *block)
{
    if (real_free == NULL) {
        free(block);
    } else {
        real_free(block);
    }
}

/* A node; what is no node has a size of its own and comes through linked_list_delete. */
static void pool_free(void *block)
{
    struct node *node = block;
    node->next = kept;
    kept = node;
}

bool linked_list_delete(struct linked_list *ll)
{
    if (ll == NULL) {
        return false;
    }
    while (ll->head != NULL) {
        linked_list_remove(ll, 0);
    }
    give_back(ll);
    return true;
}

bool linked_list_register_malloc(void *(*function)(size_t))
{
    real_malloc = function == NULL ? real_malloc : function;
    return function != NULL;
}

bool linked_list_register_free(void (*function)(void *))
{
    real_free = function == NULL ? real_free : function;
    return function != NULL;
}

void linked_list_final_cleanup(void)
{
    while (kept != NULL) {
        struct node *node = kept;
        kept = node->next;
        give_back(node);
    }
}
