/*
 * list_allocator.c - the part of linked_list_more.h that chooses the allocator and asks it. It
 * holds all process-wide state of liblist.
 */
#include "alloc/block_marks.h"
#include "alloc/refuse.h"
#include "alloc/shared_locks.h"
#include "base/macros.h"
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
static pthread_key_t thread_end;             /* its destructor is called when a thread ends */
static bool has_thread_end;                  /* that it was made: under LOCK_LISTS */
static const struct node_calls shared_calls;
_Thread_local struct node_thread linked_list_thread NODE_THREAD_MODEL = {.calls = &shared_calls};

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

/* True if the allocator opens fronts for nodes, and knows how many blocks are alive. */
static bool opens_fronts(struct node_allocator *allocator)
{
    struct node_allocator_statistics statistics;
    struct node_front front = {0};
    node_allocator_statistics(allocator, &statistics);
    if (statistics.live_blocks == NODE_STATISTIC_UNKNOWN ||
        !node_allocator_open_front(allocator, &front, sizeof(struct node))) {
        return false;
    }
    allocator->type->fronts->close(allocator, &front);
    return true;
}

/* Nodes alive by the counts of threads, for an allocator without fronts. */
static int64_t counted_nodes(void)
{
    int64_t nodes = node_hooks.live_left;
    for (const struct node_thread *own = node_hooks.threads; own != NULL; own = own->next) {
        nodes += own->live;
    }
    return nodes;
}

/* All fronts are closed: each thread begins again. */
static void restart_threads(void)
{
    for (struct node_thread *own = node_hooks.threads; own != NULL; own = own->next) {
        pw_assert(own->front.block_bytes == 0);
        own->calls = &shared_calls;
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
        node_heap_close(before); /* and the fronts of all threads */
    }
    restart_threads();
    node_hooks.live_left -= counted_nodes(); /* so that they are 0 again: no node is alive */
    pw_assert(heap != before && heap->allocator != NULL);
    node_hooks.heap = heap;
    node_hooks.allocator = heap->allocator;
    node_hooks.needs_lock = !node_allocator_is_thread_safe(heap->allocator);
    node_hooks.has_fronts = opens_fronts(heap->allocator);
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

bool node_hooks_open(void)
{
    const bool locked = shared_lock(LOCK_LISTS);
    const bool is_open = open_first();
    shared_unlock(LOCK_LISTS, locked);
    return is_open;
}

/* Threads -------------------------------------------------------------------------------------- */

/* A thread ends: what its front has goes to the heap. */
static void leave_thread(void *argument)
{
    struct node_thread *own = argument;
    const bool locked = shared_lock(LOCK_LISTS);
    if (own->front.block_bytes != 0) {
        node_hooks.allocator->type->fronts->close(node_hooks.allocator, &own->front);
    }
    pw_assert(own->is_entered && (own->previous == NULL) == (node_hooks.threads == own));
    *(own->previous != NULL ? &own->previous->next : &node_hooks.threads) = own->next;
    if (own->next != NULL) {
        own->next->previous = own->previous;
    }
    node_hooks.live_left += own->live;
    own->live = 0;
    own->is_entered = false;
    own->has_left = true; /* a function that runs later at the thread's end may use lists */
    own->calls = &shared_calls;
    shared_unlock(LOCK_LISTS, locked);
}

/* Let the end of this thread call leave_thread. Under LOCK_LISTS. */
static bool watch_thread_end(struct node_thread *own)
{
    has_thread_end = has_thread_end || pthread_key_create(&thread_end, leave_thread) == 0;
    return has_thread_end && pthread_setspecific(thread_end, own) == 0;
}

/* Enter this thread in the list of threads, until it ends. False: out of memory. */
static bool enter_thread(struct node_thread *own)
{
    const bool locked = shared_lock(LOCK_LISTS);
    if (!watch_thread_end(own)) {
        shared_unlock(LOCK_LISTS, locked);
        return false;
    }
    own->previous = NULL;
    own->next = node_hooks.threads;
    if (own->next != NULL) {
        own->next->previous = own;
    }
    node_hooks.threads = own;
    own->is_entered = true;
    shared_unlock(LOCK_LISTS, locked);
    return true;
}

/* Nodes through the front of the thread -------------------------------------------------------- */

static struct node *ask_front(void)
{
    struct node_allocator *allocator = node_hooks.allocator;
    return allocator->type->fronts->take(allocator, &linked_list_thread.front);
}

static void give_front(struct node *node)
{
    struct node_allocator *allocator = node_hooks.allocator;
    allocator->type->fronts->give(allocator, &linked_list_thread.front, node);
}

static void give_all_front(struct node *head, struct node *tail, size_t count)
{
    struct node_allocator *allocator = node_hooks.allocator;
    allocator->type->fronts->give_chain(allocator, &linked_list_thread.front, head, tail, count);
}

static const struct node_calls front_calls = {ask_front, give_front, give_all_front};

/* Nodes without a front and without a lock; the thread counts them ----------------------------- */

static struct node *ask_directly(void)
{
    struct node *node = node_allocator_allocate(node_hooks.allocator, sizeof(*node));
    if (LIKELY(node != NULL)) {
        linked_list_thread.live++;
    }
    return node;
}

static void give_directly(struct node *node)
{
    linked_list_thread.live--;
    node_allocator_release(node_hooks.allocator, node, sizeof(*node)); /* last: a jump, no call */
}

static void give_all_directly(struct node *head, struct node *tail, size_t count)
{
    linked_list_thread.live -= (int64_t)count;
    node_allocator_release_chain(node_hooks.allocator, head, tail, count, sizeof(*head));
}

static const struct node_calls direct_calls = {ask_directly, give_directly, give_all_directly};

/* The first call of a thread, and nodes under the lock ----------------------------------------- */

/* The first call of each thread comes here. True if the thread gets one of the two better ways. Not
 * if the allocator needs the lock, and not at the end of a thread. */
static bool begin_thread(struct node_thread *own)
{
    if (node_hooks.needs_lock || own->has_left || !(own->is_entered || enter_thread(own))) {
        return false;
    }
    const bool has_front =
        node_hooks.has_fronts &&
        node_allocator_open_front(node_hooks.allocator, &own->front, sizeof(struct node));
    own->calls = has_front ? &front_calls : &direct_calls;
    return true;
}

static struct node *ask_shared(void)
{
    if (begin_thread(&linked_list_thread)) {
        return linked_list_thread.calls->ask();
    }
    const bool locked = shared_lock(LOCK_LISTS);
    struct node *node = node_allocator_allocate(node_hooks.allocator, sizeof(*node));
    node_hooks.live_left += node != NULL;
    shared_unlock(LOCK_LISTS, locked);
    return node;
}

static void give_all_shared(struct node *head, struct node *tail, size_t count)
{
    if (begin_thread(&linked_list_thread)) {
        linked_list_thread.calls->give_all(head, tail, count);
        return;
    }
    const bool locked = shared_lock(LOCK_LISTS);
    node_allocator_release_chain(node_hooks.allocator, head, tail, count, sizeof(*head));
    node_hooks.live_left -= (int64_t)count;
    shared_unlock(LOCK_LISTS, locked);
}

static void give_shared(struct node *node)
{
    if (begin_thread(&linked_list_thread)) {
        linked_list_thread.calls->give(node);
        return;
    }
    const bool locked = shared_lock(LOCK_LISTS);
    node_allocator_release(node_hooks.allocator, node, sizeof(*node));
    node_hooks.live_left--;
    shared_unlock(LOCK_LISTS, locked);
}

static const struct node_calls shared_calls = {ask_shared, give_shared, give_all_shared};

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
        node_allocator_trim(node_hooks.allocator); /* closes all fronts */
        restart_threads();
    }
    shared_unlock(LOCK_LISTS, locked);
}

/* Questions and choices ------------------------------------------------------------------------ */

static size_t live_nodes(void)
{
    if (node_hooks.has_fronts) {
        struct node_allocator_statistics statistics;
        node_allocator_statistics(node_hooks.allocator, &statistics);
        return (size_t)statistics.live_blocks;
    }
    const int64_t nodes = counted_nodes();
    pw_assert(nodes >= 0);
    return (size_t)nodes;
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
    return node_hooks_open() ? node_hooks.heap->specification : "";
}

const char *linked_list_error(void)
{
    return last_error.message;
}

void linked_list_statistics(struct node_allocator_statistics *statistics)
{
    node_allocator_statistics(node_hooks_open() ? node_hooks.allocator : NULL, statistics);
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
 * between kept nodes are out of bounds for it, so that each would seem lost.
 */
__attribute__((destructor)) static void end_of_library(void)
{
    bool late = is_opened_late();
    if (late || blocks_are_watched()) {
        linked_list_final_cleanup();
    }
    if (late && node_hooks.heap != NULL) {
        node_heap_close(node_hooks.heap);
    }
    if (late && has_thread_end) {
        pthread_key_delete(thread_end); /* its function goes with the library */
    }
}
