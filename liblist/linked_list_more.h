/*
 * linked_list_more.h - the list beyond the challenge: other allocators, many elements per call,
 * reading ahead, checks.
 *
 * A program that hands in needs only linked_list.h, whose conventions hold here too. The functions
 * about the allocator want no list in use by another thread.
 */
#ifndef LINKED_LIST_MORE_H
#define LINKED_LIST_MORE_H

#include "linked_list.h"

#ifdef __cplusplus
extern "C" {
#endif

struct node_allocator_statistics; /* node_allocator.h */

/*
 * Take nodes from the allocator that a specification names ("malloc", "pool", "slab:chunk=2M",
 * "count(slab)"; the grammar is in node_allocator.h). Without a call, the environment variable
 * LINKED_LIST_ALLOC decides when the first list is created, and without that, malloc; a variable
 * that is not legal makes linked_list_create return NULL, and the library says why in one line on
 * standard error: the only one that it ever writes. A program with the rights of another user or
 * group (secure_getenv(3)) does not obey it.
 * False, and everything as it was, for an illegal specification or while any node is alive;
 * linked_list_error says why. What the allocator before kept is given back.
 */
PW_EXPORT bool linked_list_set_allocator(const char *specification);

/* The specification in use; the library's own string, valid until the next set_allocator. */
PW_EXPORT const char *linked_list_allocator(void);

/* Why the last set_allocator or create of this thread failed, one line; "" if no call failed. */
PW_EXPORT const char *linked_list_error(void);

/* The nodes alive in all lists together. Call it while no other thread uses a list. */
PW_EXPORT size_t linked_list_live_nodes(void);

/* Remove the first element and give its value; false, *data untouched, when the list is empty. */
PW_EXPORT bool linked_list_remove_front(struct linked_list *ll, unsigned int *data);

/*
 * Remove up to count elements from the front and give their values, in their order, as so
 * many remove_front do, with one call. Returns how many; 0 for NULL or an empty list.
 */
PW_EXPORT size_t linked_list_remove_front_all(struct linked_list *ll, unsigned int *data,
                                              size_t count);

/* Remove up to count elements from the front without giving their values, for a caller that has
 * read them in the list. Returns how many; 0 for NULL or an empty list. */
PW_EXPORT size_t linked_list_drop_front(struct linked_list *ll, size_t count);

/*
 * Add count elements after the last, in their order, as count calls of insert_end do, with
 * one call. False when out of memory, the list unchanged.
 */
PW_EXPORT bool linked_list_insert_end_all(struct linked_list *ll, const unsigned int *data,
                                          size_t count);

/*
 * Reading ahead in a list that grows at the end and shrinks at the front. A reader of all zeros
 * starts at the front, and starts there again if everything it has read was removed.
 */
struct linked_list_reader {
    const struct node *last; /* the node read last */
    size_t read;             /* its number among all elements ever added, the first being 1 */
};

#define LINKED_LIST_READ_MAX 8 /* elements per call of linked_list_read */
#define LINKED_LIST_READ_AHEAD                                                                     \
    512 /* bytes fetched ahead: a processor's own fetching ends per page */

/*
 * Read on: call visit for the next elements, in their order, with context, the value and the number
 * of each. Returns how many: 1 to LINKED_LIST_READ_MAX, or 0 at the end. ll must not be NULL. Nodes
 * that lie side by side are read as an array, without a wait for each link. In the header,
 * so that visit is compiled into the loop.
 */
static inline __attribute__((always_inline)) size_t
linked_list_read(const struct linked_list *ll, struct linked_list_reader *reader,
                 void (*visit)(void *context, unsigned int data, size_t number), void *context)
{
    const bool is_in_list = reader->read > ll->removed;
    const struct node *node = is_in_list ? reader->last->next : ll->head;
    const size_t before = is_in_list ? reader->read : ll->removed;
    size_t count = 0;
    if (node == NULL) {
        return 0;
    }
    __builtin_prefetch((const char *)node + LINKED_LIST_READ_AHEAD);
    do {
        visit(context, node[count].data, before + count + 1);
    } while (node[count].next == &node[count + 1] && ++count < LINKED_LIST_READ_MAX);
    count += count < LINKED_LIST_READ_MAX; /* the node whose neighbour is not the next one */
    reader->last = &node[count - 1];
    reader->read = before + count;
    return count;
}

/* Statistics of the allocator in use. May walk everything it keeps. */
PW_EXPORT void linked_list_statistics(struct node_allocator_statistics *statistics);

/* The mistakes that the allocator in use found, and the blocks it knows to be alive, line by line;
 * most allocators report nothing. line is called with context and a text without a newline. */
PW_EXPORT void linked_list_allocator_report(void (*line)(void *context, const char *text),
                                            void *context);

/* True if size, tail and links agree, and the allocator's own structure is sound. Linear. Call it
 * while no other thread uses a list. */
PW_EXPORT bool linked_list_check(struct linked_list *ll);

/* Memory from the registered functions, for a structure built on the list such as the queue. */
PW_EXPORT void *linked_list_allocate(size_t size);
PW_EXPORT void linked_list_release(void *block);

/* The version of the running library, "1.0.0"; the header's may differ. */
PW_EXPORT const char *linked_list_version(void);

#ifdef __cplusplus
}
#endif
#endif
