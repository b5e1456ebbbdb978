/*
 * list_allocator.c - the part of linked_list_more.h that chooses the allocator and asks it. It
 * holds all process-wide state of liblist.
 */
#include "alloc/block_marks.h"
#include "alloc/refuse.h"
#include "alloc/shared_locks.h"
#include "base/pw_assert.h"
#include "linked_list_more.h"
#include "node_hooks.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PW_LIBRARY_VERSION /* built without CMake */
#define PW_LIBRARY_VERSION "unknown"
#endif

#ifdef __APPLE__
static const char *secure_getenv(const char *name)
{
    return issetugid() ? NULL : getenv(name);
}
#endif

static struct memory_source registered = {.allocate = malloc, .release = free};
struct node_hooks node_hooks;
static _Thread_local struct node_allocator_error last_error;
static _Thread_local bool is_refused_choice; /* last_error is of LINKED_LIST_ALLOC */
static const struct node_calls front_calls, direct_calls;

/* Memory --------------------------------------------------------------------------------------- */

/* The heaps of the process call the functions registered last. */
static void register_source(struct memory_source source)
{
    registered = source;
    node_hooks.heaps[0].source = source;
    node_hooks.heaps[1].source = source;
}

bool linked_list_register_malloc(void *(*allocate)(size_t))
{
    if (allocate != NULL) {
        register_source((struct memory_source){allocate, registered.release});
    }
    return allocate != NULL;
}

bool linked_list_register_free(void (*release)(void *))
{
    if (release != NULL) {
        register_source((struct memory_source){registered.allocate, release});
    }
    return release != NULL;
}

void *linked_list_allocate(size_t size)
{
    void *block = registered.allocate(size);
    if (block == NULL) {
        refuse(&last_error, "out of memory: the registered malloc gave no %zu bytes", size);
    }
    return block;
}

void linked_list_release(void *block)
{
    registered.release(block);
}

/* Hooks ---------------------------------------------------------------------------------------- */

/* Close the fronts of the lists without a node. Another allocator may open fronts for all. */
static void close_empty_fronts(void)
{
    for (struct own_list *own = node_hooks.lists; own != NULL; own = own->next_list) {
        if (own->list.inserted == own->list.removed && own->front.block_bytes != 0) {
            node_hooks.allocator->type->fronts->close(node_hooks.allocator, &own->front, NULL, NULL,
                                                      0);
        }
        own->has_no_front = false;
        own->calls = &front_calls;
    }
}

/* Open an allocator and close the one before. A refusal sets the error and changes nothing. */
static bool choose(const char *specification)
{
    struct node_heap *before = node_hooks.heap;
    struct node_heap *heap = &node_hooks.heaps[before == &node_hooks.heaps[0]];
    if (!node_heap_open(heap, specification, &registered, &last_error)) {
        return false;
    }
    if (before != NULL) {
        close_empty_fronts();
        node_heap_close(before);
    }
    pw_assert(heap != before && heap->allocator != NULL);
    node_hooks.heap = heap;
    node_hooks.allocator = heap->allocator;
    node_hooks.needs_lock = !node_allocator_is_thread_safe(heap->allocator);
    return true;
}

/* Open what LINKED_LIST_ALLOC names, or malloc, unless something is open. Under LOCK_LISTS. */
static bool open_first(void)
{
    if (node_hooks.allocator != NULL) {
        return true;
    }
    const char *chosen = secure_getenv("LINKED_LIST_ALLOC");
    bool is_chosen = chosen != NULL && chosen[0] != '\0';
    errno = 0;
    is_refused_choice = false;
    if (!choose(is_chosen ? chosen : "malloc")) {
        const struct node_allocator_error why = last_error;
        if (is_chosen) {
            refuse(&last_error, "LINKED_LIST_ALLOC: %.450s", why.message);
            is_refused_choice = errno != ENOMEM;
        }
        return false;
    }
    return true;
}

/* The same, by who holds no lock. */
static bool open_hooks(void)
{
    const bool locked = shared_lock(LOCK_LISTS);
    const bool is_open = open_first();
    shared_unlock(LOCK_LISTS, locked);
    return is_open;
}

bool node_hooks_enter(struct own_list *own)
{
    const bool locked = shared_lock(LOCK_LISTS);
    const bool is_open = open_first();
    own->calls = &front_calls;
    if (is_open) {
        own->next_list = node_hooks.lists;
        if (node_hooks.lists != NULL) {
            pw_assert(node_hooks.lists->previous_list == NULL);
            node_hooks.lists->previous_list = own;
        }
        node_hooks.lists = own;
    }
    shared_unlock(LOCK_LISTS, locked);
    return is_open;
}

void node_hooks_leave(struct own_list *own)
{
    const bool locked = shared_lock(LOCK_LISTS);
    pw_assert((own->previous_list == NULL) == (node_hooks.lists == own));
    *(own->previous_list != NULL ? &own->previous_list->next_list : &node_hooks.lists) =
        own->next_list;
    if (own->next_list != NULL) {
        own->next_list->previous_list = own->previous_list;
    }
    shared_unlock(LOCK_LISTS, locked);
}

/* Nodes ---------------------------------------------------------------------------------------- */

/* Lock out others where the allocator does not do it itself. */
static bool lock_nodes(void)
{
    return node_hooks.needs_lock && shared_lock(LOCK_LISTS);
}

static bool is_open(const struct own_list *own)
{
    return own->front.block_bytes != 0;
}

/* Open the front of a list that is too long for the shared ones, or will be with count more. */
static bool open_front(struct own_list *own, size_t count)
{
    if (own->has_no_front || own->list.inserted + count <= OWN_FRONT_FROM) {
        return false;
    }
    own->has_no_front =
        !node_allocator_open_front(node_hooks.allocator, &own->front, sizeof(struct node));
    if (own->has_no_front && !node_hooks.needs_lock) {
        own->calls = &direct_calls;
    }
    return !own->has_no_front;
}

void node_hooks_expect(struct own_list *own, size_t count)
{
    const bool locked = lock_nodes();
    (void)(is_open(own) || open_front(own, count));
    shared_unlock(LOCK_LISTS, locked);
}

static struct node *ask_by_front(struct own_list *own)
{
    struct node_allocator *allocator = node_hooks.allocator;
    const bool locked = lock_nodes();
    struct node *node = is_open(own) || open_front(own, 1)
                            ? allocator->type->fronts->take(allocator, &own->front)
                            : node_allocator_allocate(allocator, sizeof(struct node));
    shared_unlock(LOCK_LISTS, locked);
    return node;
}

static void give_by_front(struct own_list *own, struct node *node)
{
    struct node_allocator *allocator = node_hooks.allocator;
    const bool locked = lock_nodes();
    if (is_open(own)) {
        allocator->type->fronts->give(allocator, &own->front, node);
    } else {
        node_allocator_release(allocator, node, sizeof(*node));
    }
    shared_unlock(LOCK_LISTS, locked);
}

static const struct node_calls front_calls = {ask_by_front, give_by_front};

/* For a list without a front, if the allocator needs no lock. */
static struct node *ask_directly(struct own_list *own)
{
    (void)own;
    return node_allocator_allocate(node_hooks.allocator, sizeof(struct node));
}

static void give_directly(struct own_list *own, struct node *node)
{
    (void)own;
    node_allocator_release(node_hooks.allocator, node, sizeof(*node));
}

static const struct node_calls direct_calls = {ask_directly, give_directly};

void node_hooks_give_all(struct own_list *own, struct node *head, struct node *tail, size_t count)
{
    struct node_allocator *allocator = node_hooks.allocator;
    const bool locked = lock_nodes();
    if (is_open(own)) {
        allocator->type->fronts->close(allocator, &own->front, head, tail, count);
    } else {
        node_allocator_release_chain(allocator, head, tail, count, sizeof(*head));
    }
    shared_unlock(LOCK_LISTS, locked);
}

void node_hooks_say_refusal(void)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    if (is_refused_choice && !atomic_flag_test_and_set(&is_said)) {
        dprintf(STDERR_FILENO, "liblinked_list: %s\n", last_error.message);
    }
}

void linked_list_final_cleanup(void)
{
    const bool locked = shared_lock(LOCK_LISTS);
    if (node_hooks.allocator != NULL) {
        close_empty_fronts();
        node_allocator_trim(node_hooks.allocator);
    }
    shared_unlock(LOCK_LISTS, locked);
}

/* Questions and choices ------------------------------------------------------------------------ */

static size_t live_nodes(void)
{
    size_t nodes = 0;
    for (const struct own_list *own = node_hooks.lists; own != NULL; own = own->next_list) {
        pw_assert(own->list.removed <= own->list.inserted);
        nodes += own->list.inserted - own->list.removed;
    }
    return nodes;
}

size_t linked_list_live_nodes(void)
{
    const bool locked = shared_lock(LOCK_LISTS);
    const size_t nodes = live_nodes();
    shared_unlock(LOCK_LISTS, locked);
    return nodes;
}

bool linked_list_set_allocator(const char *specification)
{
    if (specification == NULL) {
        return refuse(&last_error, "no allocator is named");
    }
    const bool locked = shared_lock(LOCK_LISTS);
    const size_t nodes = live_nodes();
    const bool is_chosen =
        nodes == 0
            ? choose(specification)
            : refuse(&last_error, "the allocator cannot change while %zu nodes are alive", nodes);
    shared_unlock(LOCK_LISTS, locked);
    return is_chosen;
}

const char *linked_list_allocator(void)
{
    return open_hooks() ? node_hooks.heap->specification : "";
}

const char *linked_list_error(void)
{
    return last_error.message;
}

void linked_list_statistics(struct node_allocator_statistics *statistics)
{
    node_allocator_statistics(open_hooks() ? node_hooks.allocator : NULL, statistics);
}

void linked_list_allocator_report(void (*line)(void *context, const char *text), void *context)
{
    if (node_hooks.allocator != NULL) {
        node_allocator_report(node_hooks.allocator,
                              &(struct node_report){.line = line, .context = context});
    }
}

const char *linked_list_version(void)
{
    return PW_LIBRARY_VERSION;
}

/* True if the library was opened by dlopen, not loaded with the program or linked into it. */
static bool is_opened_late(void)
{
    bool late = false;
#ifdef linked_list_EXPORTS /* a shared library */
    Dl_info here;
    Dl_info there;
    void *program = dlopen(NULL, RTLD_LAZY);
    void *found = program != NULL ? dlsym(program, "linked_list_final_cleanup") : NULL;
    late = found == NULL || dladdr(&node_hooks, &here) == 0 || dladdr(found, &there) == 0 ||
           here.dli_fbase != there.dli_fbase;
#endif
    return late;
}

/*
 * A closed library gives back all that its allocators hold. A library that ends with the process
 * keeps it, because the registered functions may be gone. A leak checker is an exception: the links
 * between kept nodes are out of bounds for it, so that each would seem lost. And a list that was
 * never deleted must not be found through the list of lists.
 */
__attribute__((destructor)) static void end_of_library(void)
{
    bool late = is_opened_late();
    if (late || blocks_are_watched()) {
        linked_list_final_cleanup();
        node_hooks.lists = NULL;
    }
    if (late && node_hooks.heap != NULL) {
        node_heap_close(node_hooks.heap);
    }
}
