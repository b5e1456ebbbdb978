/*
 * lookahead.h - a pointer that runs some nodes ahead of a list's head, to prefetch what the nodes
 * there will need.
 *
 * 1. It follows the links; it never leaves the nodes between head and tail, so it may only be used
 *    while the list is pushed to at its end and popped from its front.
 * 2. After each pop it is told so, and moves on by one node, or by two until it has its distance.
 * Cost: a load or two a pop, of nodes that lie in address order where the allocator sees to it.
 */
#ifndef PW_LOOKAHEAD_H
#define PW_LOOKAHEAD_H

#include "liblist/linked_list.h"

#define LOOKAHEAD_STEPS 2 /* the most calls of lookahead_next after a pop that are of use */

struct lookahead {
    const struct node *node;
    size_t lead; /* it is the lead-th node of the list; 0: it has been overtaken, or not begun */
};

/* So many nodes were removed from the list's front since the last look. */
static inline void lookahead_popped(struct lookahead *ahead, size_t count)
{
    ahead->lead -= count < ahead->lead ? count : ahead->lead;
}

/* Move on by a node and return it; NULL when it has its distance or is at the list's end. */
static inline const struct node *lookahead_next(struct lookahead *ahead, const struct node *head,
                                                size_t distance)
{
    if (ahead->lead >= distance) {
        return NULL;
    }
    const struct node *next = ahead->lead > 0 ? ahead->node->next : head;
    if (next != NULL) {
        ahead->node = next;
        ahead->lead++;
    }
    return next;
}

#endif
