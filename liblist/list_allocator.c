/*
 * list_allocator.c - the part of linked_list_more.h that chooses the allocator and asks it. It
 * holds all process-wide state of liblist.
 */
#include "alloc/block_marks.h"
#include "alloc/refuse.h"
#include "base/pw_assert.h"
#include "linked_list_more.h"
#include "node_hooks.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct memory_source registered = {.allocate = malloc, .release = free};
static struct node_hooks process_hooks;

/* The hooks of one thread, at the first aligned address within a registered malloc's block. */
struct thread_hooks {
    struct node_hooks hooks;
    struct thread_hooks *next_parked;
    void *block;
};

static _Thread_local struct thread_hooks *own_hooks; /* NULL: the process's */
static pthread_mutex_t parked_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread_hooks *parked; /* left by their threads; none of their lists is alive */
static _Thread_local struct node_allocator_error last_error;
static _Thread_local bool is_refused_choice; /* last_error is of LINKED_LIST_ALLOC */

/* Memory ------------------------------------------------------------------------------------- */

/* The heaps of the process call the functions registered last. */
static void register_source(struct memory_source source)
{
    registered = source;
    process_hooks.heaps[0].source = source;
    process_hooks.heaps[1].source = source;
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

/* Hooks --------------------------------------------------------------------------------------- */

/* Open an allocator and close the one before. A refusal sets the error and changes nothing. */
static bool choose(struct node_hooks *hooks, const char *specification)
{
    struct node_heap *before = hooks->heap;
    struct node_heap *heap = &hooks->heaps[before == &hooks->heaps[0]];
    if (!node_heap_open(heap, specification, &registered, &last_error)) {
        return false;
    }
    if (before != NULL) {
        node_heap_close(before);
    }
    pw_assert(heap != before && heap->allocator != NULL);
    hooks->heap = heap;
    hooks->allocator = heap->allocator;
    hooks->front = node_allocator_front(hooks->allocator, sizeof(struct node));
    return true;
}

/* The hooks of this thread, or else of the process; perhaps not open. */
static struct node_hooks *current_hooks(void)
{
    return own_hooks != NULL ? &own_hooks->hooks : &process_hooks;
}

void node_hooks_say_refusal(void)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    if (is_refused_choice && !atomic_flag_test_and_set(&is_said)) {
        dprintf(STDERR_FILENO, "liblinked_list: %s\n", last_error.message);
    }
}

struct node_hooks *node_hooks_acquire(void)
{
    struct node_hooks *hooks = current_hooks();
    if (hooks->allocator == NULL) {
        const char *chosen = secure_getenv("LINKED_LIST_ALLOC");
        bool is_chosen = chosen != NULL && chosen[0] != '\0';
        errno = 0;
        is_refused_choice = false;
        if (!choose(hooks, is_chosen ? chosen : "malloc")) {
            const struct node_allocator_error why = last_error;
            if (is_chosen) {
                refuse(&last_error, "LINKED_LIST_ALLOC: %.450s", why.message);
                is_refused_choice = errno != ENOMEM;
            }
            return NULL;
        }
    }
    return hooks;
}

/* Thread hooks -------------------------------------------------------------------------------- */

/* The parked hooks with that allocator, taken out of the list; or NULL. */
static struct thread_hooks *take_parked(const char *specification)
{
    pthread_mutex_lock(&parked_lock);
    struct thread_hooks **link = &parked;
    while (*link != NULL && strcmp((*link)->hooks.heap->specification, specification) != 0) {
        link = &(*link)->next_parked;
    }
    struct thread_hooks *found = *link;
    if (found != NULL) {
        pw_assert(found->hooks.lists == NULL && found->hooks.allocator != NULL);
        *link = found->next_parked;
    }
    pthread_mutex_unlock(&parked_lock);
    return found;
}

static struct thread_hooks *create_thread_hooks(const char *specification)
{
    const size_t alignment = _Alignof(struct thread_hooks);
    void *block = linked_list_allocate(sizeof(struct thread_hooks) + alignment);
    if (block == NULL) {
        return NULL;
    }
    unsigned char *aligned = block;
    aligned += -(uintptr_t)block & (alignment - 1);
    struct thread_hooks *own = (struct thread_hooks *)aligned;
    pw_assert((uintptr_t)own % alignment == 0 && aligned <= (unsigned char *)block + alignment);
    memset(own, 0, sizeof(*own));
    own->block = block;
    if (!choose(&own->hooks, specification)) {
        linked_list_release(block);
        return NULL;
    }
    return own;
}

bool linked_list_thread_begin(const char *specification)
{
    if (own_hooks != NULL) {
        return refuse(&last_error, "this thread has an allocator of its own already");
    }
    if (specification == NULL) {
        struct node_hooks *hooks = node_hooks_acquire();
        if (hooks == NULL) {
            return false;
        }
        specification = hooks->heap->specification;
    }
    own_hooks = take_parked(specification);
    if (own_hooks == NULL) {
        own_hooks = create_thread_hooks(specification);
    }
    pw_assert(own_hooks == NULL || own_hooks->hooks.lists == NULL);
    return own_hooks != NULL;
}

bool linked_list_thread_end(void)
{
    struct thread_hooks *own = own_hooks;
    if (own == NULL || own->hooks.lists != NULL) {
        return refuse(&last_error, "%s",
                      own == NULL ? "this thread has no allocator of its own"
                                  : "lists of this thread are alive");
    }
    own_hooks = NULL;
    pthread_mutex_lock(&parked_lock);
    own->next_parked = parked;
    parked = own;
    pthread_mutex_unlock(&parked_lock);
    return true;
}

static void free_parked(void)
{
    pthread_mutex_lock(&parked_lock);
    struct thread_hooks *own = parked;
    parked = NULL;
    pthread_mutex_unlock(&parked_lock);
    while (own != NULL) {
        struct thread_hooks *next = own->next_parked;
        node_heap_close(own->hooks.heap);
        linked_list_release(own->block);
        own = next;
    }
}

void linked_list_final_cleanup(void)
{
    struct node_hooks *hooks = current_hooks();
    if (hooks->allocator != NULL) {
        node_allocator_trim(hooks->allocator);
    }
    free_parked();
}

/* Questions and choices ------------------------------------------------------------------------ */

size_t linked_list_live_nodes(void)
{
    size_t nodes = 0;
    for (struct linked_list *ll = current_hooks()->lists; ll != NULL; ll = ll->next_list) {
        pw_assert(ll->removed <= ll->inserted);
        nodes += ll->inserted - ll->removed;
    }
    return nodes;
}

bool linked_list_set_allocator(const char *specification)
{
    if (specification == NULL) {
        return refuse(&last_error, "no allocator is named");
    }
    size_t nodes = linked_list_live_nodes();
    if (nodes > 0) {
        return refuse(&last_error, "the allocator cannot change while %zu nodes are alive", nodes);
    }
    return choose(current_hooks(), specification);
}

const char *linked_list_allocator(void)
{
    struct node_hooks *hooks = node_hooks_acquire();
    return hooks != NULL ? hooks->heap->specification : "";
}

const char *linked_list_error(void)
{
    return last_error.message;
}

void linked_list_statistics(struct node_allocator_statistics *statistics)
{
    struct node_hooks *hooks = node_hooks_acquire();
    node_allocator_statistics(hooks != NULL ? hooks->allocator : NULL, statistics);
}

void linked_list_allocator_report(void (*line)(void *context, const char *text), void *context)
{
    if (process_hooks.allocator != NULL) {
        node_allocator_report(process_hooks.allocator,
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
    late = found == NULL || dladdr(&process_hooks, &here) == 0 || dladdr(found, &there) == 0 ||
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
        process_hooks.lists = NULL;
    }
    if (late && process_hooks.heap != NULL) {
        node_heap_close(process_hooks.heap);
    }
}
