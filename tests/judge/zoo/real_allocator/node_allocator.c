/* Freed nodes wait for the next push. */
#include "node_allocator.h"

static struct node *kept;

struct node *take_node(void *(*get)(size_t))
{
    struct node *node = kept;
    if (node == NULL) {
        return get(sizeof(*node));
    }
    kept = node->next;
    return node;
}

void keep_node(struct node *node)
{
    node->next = kept;
    kept = node;
}

void give_all_nodes(void (*give)(void *))
{
    while (kept != NULL) {
        struct node *node = kept;
        kept = node->next;
        give(node);
    }
}
