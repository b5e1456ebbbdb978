/*
 * linked_list.h - a singly linked list of unsigned ints, with nodes from any allocator.
 *
 * The functions of the Pointer Wars challenge, to the letter; what goes beyond them is in
 * linked_list_more.h. struct linked_list has two counters in place of the challenge's size; a list
 * of your own takes perf/challenge/challenge_list.h of the source tree. Insertion at either end,
 * removal at the front and size take constant time; everything else is linear in the index.
 *
 * Conventions: a NULL list or iterator gives false, NULL or SIZE_MAX. A failed allocation gives
 * false or NULL and leaves everything as it was. Nothing here exits or aborts, or prints, except
 * why LINKED_LIST_ALLOC is not legal (linked_list_more.h).
 * Threads: different lists may be used by different threads at the same time. One list is used by
 * one thread at a time, and handed over by anything that orders memory (a lock, an atomic, a join).
 */
#ifndef LINKED_LIST_H
#define LINKED_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PW_EXPORT
#define PW_EXPORT __attribute__((visibility("default")))
#endif

struct node {
    struct node *next; /* NULL at the last */
    unsigned int data;
};

struct linked_list {
    struct node *head; /* NULL when empty */
    struct node *tail; /* the last node; meaningless when empty */
    size_t inserted;   /* elements ever inserted; size is inserted - removed: two counters, */
    size_t removed;    /* so that a push need not wait for the pop before it */
};

struct iterator {
    struct linked_list *ll;
    struct node *current_node;
    size_t current_index;
    unsigned int data;
};

/* An empty list, or NULL. The caller deletes it with linked_list_delete. */
PW_EXPORT struct linked_list *linked_list_create(void);

/* Delete a list with all its nodes. False for NULL. Iterators on it must not be used any more. */
PW_EXPORT bool linked_list_delete(struct linked_list *ll);

/* The number of elements; SIZE_MAX for NULL. */
PW_EXPORT size_t linked_list_size(struct linked_list *ll);

/* Add an element after the last, before the first, or before the one at index (0 to size). */
PW_EXPORT bool linked_list_insert_end(struct linked_list *ll, unsigned int data);
PW_EXPORT bool linked_list_insert_front(struct linked_list *ll, unsigned int data);
PW_EXPORT bool linked_list_insert(struct linked_list *ll, size_t index, unsigned int data);

/* The index of the first element equal to data, or SIZE_MAX. */
PW_EXPORT size_t linked_list_find(struct linked_list *ll, unsigned int data);

/* Remove the element at index (0 to size - 1); false past it. */
PW_EXPORT bool linked_list_remove(struct linked_list *ll, size_t index);

/* An iterator at the element of that index, or NULL past the end. Freed by delete_iterator. */
PW_EXPORT struct iterator *linked_list_create_iterator(struct linked_list *ll, size_t index);
PW_EXPORT bool linked_list_delete_iterator(struct iterator *iter);

/* Move to the next element; false, staying, at the last. */
PW_EXPORT bool linked_list_iterate(struct iterator *iter);

/*
 * From now on, take all memory from this malloc and give it to this free; until then the C
 * library's serve. False for NULL, changing nothing. Memory still held at a change is given to the
 * new free: change them while nothing is alive, after linked_list_final_cleanup. For lists in
 * several threads both must be thread-safe.
 */
PW_EXPORT bool linked_list_register_malloc(void *(*malloc)(size_t));
PW_EXPORT bool linked_list_register_free(void (*free)(void *));

/*
 * Give back every node that the allocator keeps for reuse, while no list is in use by another
 * thread. The library stays usable. If dlopen opened it with RTLD_LOCAL, dlclose gives back
 * everything that the allocator holds. With RTLD_GLOBAL, all threads that used a list must have
 * ended before dlclose.
 */
PW_EXPORT void linked_list_final_cleanup(void);

#ifdef __cplusplus
}
#endif
#endif
