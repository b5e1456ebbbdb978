/* An allocator in a file of its own. */
#ifndef NODE_ALLOCATOR_H_
#define NODE_ALLOCATOR_H_

#include "linked_list.h"

struct node *take_node(void *(*get)(size_t));
void keep_node(struct node *node);
void give_all_nodes(void (*give)(void *));

#endif
