/*
 * lookahead.h - a pointer that runs some nodes ahead of a list's head, to prefetch what the nodes
 * there will need.
 *
 * 1. It follows the links; it never leaves the nodes between head and tail, so it may only be used
 *    while the list is pushed to at its end and popped from its front.
 * 2. It moves at most two nodes a pop, so it gets back to its distance after the list was short,
 *    and costs a load or two a pop, of nodes that lie in address order where the allocator does.
 */
#ifndef PW_LOOKAHEAD_H
#define PW_LOOKAHEAD_H

#include "linked_list.h"

struct lookahead {
    const struct node *node; /* lead nodes behind the head */
    size_t lead;             /* 0: it has been overtaken, or has not begun */
};

/*
 * To be called after each pop. The node it has come to, or NULL when it did not move. head: the
 * list's head now.
 */
static inline const struct node *lookahead_step(struct lookahead *ahead, const struct node *head,
                                                size_t distance)
{
    if (ahead->lead <= 1) { /* the node stood at, or one behind, the one that was popped */
        if (head == NULL) {
            ahead->lead = 0;
            return NULL;
        }
        ahead->node = head;
        ahead->lead = 1;
    } else {
        ahead->lead--;
    }
    if (ahead->lead < distance && ahead->node->next != NULL) {
        ahead->node = ahead->node->next;
        ahead->lead++;
        return ahead->node;
    }
    return NULL;
}

#endif
