/*
 * linked_list.h - a singly linked list of unsigned ints, with nodes from any allocator.
 *
 * The first part is the interface of the Pointer Wars challenge, to the letter. The second part
 * chooses the allocator. Push and insertion at either end, removal at the front and size take
 * constant time; everything else is linear in the index.
 *
 * Conventions: a NULL list or iterator gives false, NULL or SIZE_MAX. A failed allocation gives
 * false or NULL and leaves everything as it was. Not thread-safe, as in the challenge. Nothing here
 * prints, exits or aborts.
 */
#ifndef LINKED_LIST_H
#define LINKED_LIST_H

#include <stdbool.h>
#include <stddef.h>

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

struct node_hooks;

struct linked_list {
    struct node *head; /* NULL when empty */
    struct node *tail; /* the last node; meaningless when empty */
    size_t inserted;   /* elements ever inserted; size is inserted - removed: two counters, */
    size_t removed;    /* so that a push need not wait for the pop before it */
    size_t blocks;     /* taken by linked_list_take_block and not given back */
    struct node_hooks *hooks; /* where its nodes come from */
    struct linked_list *next_list,
        *previous_list; /* the lists alive, for the count of live nodes */
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

/* Add an element behind the last, before the first, or before the one at index (0 to size). */
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
 * Take all memory from this malloc, and give it to this free, from now on. Until then the C
 * library's serve. False for NULL, changing nothing. Memory still held when the functions change is
 * given to the new free: change them while nothing is alive, after linked_list_final_cleanup.
 */
PW_EXPORT bool linked_list_register_malloc(void *(*malloc)(size_t));
PW_EXPORT bool linked_list_register_free(void (*free)(void *));

/*
 * Give back every node that the allocator keeps for reuse. The library stays usable. When it was
 * opened by dlopen with RTLD_LOCAL, dlclose gives back everything that the allocators hold.
 */
PW_EXPORT void linked_list_final_cleanup(void);

/* Beyond the challenge --------------------------------------------------------------------------*/

struct node_allocator_statistics; /* node_allocator.h */

/*
 * Take nodes from the allocator that a specification names ("malloc", "pool", "slab:chunk=2M",
 * "count(slab)"; the grammar is in node_allocator.h). Without a call, the environment variable
 * LINKED_LIST_ALLOC decides when the first list is created, and without that, malloc; a variable
 * that is not legal makes linked_list_create return NULL. A program with the rights of
 * another user or group (secure_getenv(3)) does not obey it.
 * False, and everything as it was, for an illegal specification or while any node is alive;
 * linked_list_error says why. What the allocator before kept is given back.
 */
PW_EXPORT bool linked_list_set_allocator(const char *specification);

/* The specification in use; the library's own string, valid until the next set_allocator. */
PW_EXPORT const char *linked_list_allocator(void);

/* Why the last set_allocator or create of this thread failed, one line; "" if none did. */
PW_EXPORT const char *linked_list_error(void);

/* Nodes, and blocks taken, alive in all lists together. */
PW_EXPORT size_t linked_list_live_nodes(void);

/* Remove the first element and give its value; false, *data untouched, when there is none. */
PW_EXPORT bool linked_list_remove_front(struct linked_list *ll, unsigned int *data);

/*
 * Remove up to count elements from the front and give their values, in their order: the same as so
 * many remove_front, with one call. Returns how many; 0 for NULL or an empty list.
 */
PW_EXPORT size_t linked_list_remove_front_all(struct linked_list *ll, unsigned int *data,
                                              size_t count);

/* The same without giving the values, for a caller that has read them in the list. */
PW_EXPORT size_t linked_list_drop_front(struct linked_list *ll, size_t count);

/*
 * Add count elements behind the last, in their order: the same as count calls of insert_end, with
 * one call. All or none: false when out of memory, the list unchanged.
 */
PW_EXPORT bool linked_list_insert_end_all(struct linked_list *ll, const unsigned int *data,
                                          size_t count);

/*
 * A block from where the list's nodes come from, through the same hooks, for a structure whose
 * nodes have another size; NULL when out of memory. bytes: at least 16. To be given back with the
 * same size before the list is deleted, one by one, or count of them linked by their first words.
 */
PW_EXPORT void *linked_list_take_block(struct linked_list *ll, size_t bytes);
PW_EXPORT void linked_list_give_block(struct linked_list *ll, void *block, size_t bytes);
PW_EXPORT void linked_list_give_chain(struct linked_list *ll, void *head, void *tail, size_t count,
                                      size_t bytes);

/*
 * Threads. A list and its allocator serve one thread at a time. Between begin and end the calling
 * thread has an allocator of its own: the lists it creates, and what it asks and sets here, are of
 * that one, while other threads go on with theirs. specification: as for set_allocator; NULL: the
 * one in use in the process. False with the error set when it cannot be opened or there is one.
 * Hand-over: a list may be handed to another thread together with all others of its allocator. end
 * is refused while a list is alive; then the allocator is parked with the nodes it keeps, for the
 * next thread that begins with the same specification. linked_list_final_cleanup gives back what
 * parked ones keep. Register malloc and free, which must then be thread-safe, before the first
 * begin.
 */
PW_EXPORT bool linked_list_thread_begin(const char *specification);
PW_EXPORT bool linked_list_thread_end(void);

/* What the allocator in use knows about itself. May walk everything it keeps. */
PW_EXPORT void linked_list_statistics(struct node_allocator_statistics *statistics);

/* What the allocator in use found wrong, and the blocks it knows to be alive, line by line;
 * most allocators have nothing to say. line is called with context and a text without a newline. */
PW_EXPORT void linked_list_allocator_report(void (*line)(void *context, const char *text),
                                            void *context);

/* Whether size, tail and links agree, and the allocator's own structure is sound. Linear. */
PW_EXPORT bool linked_list_check(struct linked_list *ll);

/* Memory from the registered functions, for a structure built on the list such as the queue. */
PW_EXPORT void *linked_list_allocate(size_t size);
PW_EXPORT void linked_list_release(void *block);

/* The version of the library that runs, "0.1.0": it may not be that of the header. */
PW_EXPORT const char *linked_list_version(void);

#ifdef __cplusplus
}
#endif
#endif
