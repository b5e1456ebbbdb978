/*
 * serve.c - put before a program: its malloc is an allocator of this project.
 *
 * 1. The control names a specification; the first request opens it. Its memory is glibc's.
 * 2. A node allocator wants the size of a block when the block is released, and a program does
 *    not say it. So each block has a header of 16 bytes before it: its size, and where it begins.
 * 3. One lock serves threads, and a fork waits for it: the child goes on with the same heap. Only
 *    glibc's malloc needs no lock, because it is for threads and forks itself.
 * Cost beside the allocator's own: the header, one call, and a lock in programs with threads. Not
 * for anything but measuring.
 */
#include "alloc/node_allocator.h"
#include "alloc/shared_locks.h"
#include "malloc_family.h"
#include "process_memory.h"
#include "process_names.h"
#include "program_format.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define HEADER_BYTES  ((size_t)16)
#define EARLY_BYTES   ((size_t)1 << 20)
#define ALIGNMENT_MAX ((size_t)1 << 30)

/* Before each block. */
struct header {
    uint64_t bytes; /* that the allocator was asked for */
    uint64_t front; /* from what it gave to the block */
};
_Static_assert(sizeof(struct header) == HEADER_BYTES, "blocks are aligned to 16");

enum state {
    UNKNOWN,
    OPENING, /* requests of the loader and of the allocator itself, from the early bytes */
    PASSING, /* glibc serves */
    SERVING,
};

static enum state state;
static struct node_heap heap;
static bool is_for_threads;
static bool is_watched; /* this process is to say what memory it has at its end */
static struct program_control *const control = (struct program_control *)PROGRAM_CONTROL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_inside; /* the allocator is at work: what it asks for is glibc's */

static _Alignas(16) unsigned char early[EARLY_BYTES];
static size_t early_used;

static const struct memory_source source = {.allocate = __libc_malloc, .release = __libc_free};

/* Start ---------------------------------------------------------------------------------------- */

/* Map the control of the folder in which this library lies. */
static bool map_control(void)
{
    char path[600];
    Dl_info self;
    if (dladdr(&heap, &self) == 0 || self.dli_fname == NULL) {
        return false;
    }
    const char *slash = strrchr(self.dli_fname, '/');
    const int length = slash != NULL ? (int)(slash - self.dli_fname) : 0;
    snprintf(path, sizeof(path), "%.*s/control", length, self.dli_fname);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const void *mapped = mmap(control, sizeof(*control), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    close(file);
    return mapped == control;
}

/* True if this process is to be served: the one that is meant, or each of the name. */
static bool is_chosen(void)
{
    struct process_names names;
    process_names_read(&names);
    atomic_fetch_add(&control->loaded, 1);
    if (!process_is_meant(&names, control)) {
        return false;
    }
    const bool is_first = atomic_fetch_add(&control->chosen, 1) == 0;
    if (is_first) {
        control->process = getpid();
        is_watched = control->watches;
    }
    return is_first || control->only.name[0] != '\0';
}

static void start(void)
{
    struct node_allocator_error error;
    state = OPENING;
    if (!map_control() || !is_chosen()) {
        state = PASSING;
        return;
    }
    if (!node_heap_open(&heap, control->specification, &source, &error)) {
        atomic_fetch_add(&control->refused, 1);
        state = PASSING;
        return;
    }
    const unsigned needs_no_lock = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_BACK;
    is_for_threads = (heap.allocator->type->flags & needs_no_lock) == needs_no_lock;
    state = SERVING;
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void at_load(void)
{
    if (state == UNKNOWN) {
        start();
    }
    shared_locks_hold_across_fork();
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* Calls ---------------------------------------------------------------------------------------- */

static bool is_early(const void *block)
{
    return (uintptr_t)block - (uintptr_t)early < EARLY_BYTES;
}

/* A request while the allocator opens. */
static void *take_early(size_t alignment, size_t size)
{
    const size_t first = (early_used + HEADER_BYTES + alignment - 1) / alignment * alignment;
    if (size > EARLY_BYTES - first || first > EARLY_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    early_used = first + size;
    const struct header header = {.bytes = size};
    memcpy(early + first - HEADER_BYTES, &header, sizeof(header));
    return early + first;
}

static void enter(void)
{
    is_inside = true;
    if (!is_for_threads) {
        pthread_mutex_lock(&lock);
    }
}

static void leave(void)
{
    if (!is_for_threads) {
        pthread_mutex_unlock(&lock);
    }
    is_inside = false;
}

/* True if this call is not the allocator's. */
static bool is_elsewhere(void)
{
    if (state == UNKNOWN) {
        start();
    }
    return state == PASSING || is_inside;
}

static void *request(size_t alignment, size_t size)
{
    if (is_elsewhere()) {
        return alignment > 16 ? __libc_memalign(alignment, size) : __libc_malloc(size);
    }
    if (state == OPENING) {
        return take_early(alignment, size);
    }
    const size_t more = HEADER_BYTES + (alignment > 16 ? alignment : 0);
    unsigned char *given = NULL;
    if (size <= SIZE_MAX / 4 && alignment <= ALIGNMENT_MAX) {
        enter();
        given = node_allocator_allocate(heap.allocator, size + more);
        leave();
        if (given == NULL) {
            atomic_fetch_add(&control->refused, 1);
        }
    }
    if (given == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t block = (uintptr_t)given + HEADER_BYTES;
    block = alignment > 16 ? (block + alignment - 1) / alignment * alignment : block;
    const struct header header = {.bytes = size + more, .front = block - (uintptr_t)given};
    memcpy((void *)(block - HEADER_BYTES), &header, sizeof(header));
    return (void *)block;
}

static struct header header_of(const void *block)
{
    struct header header;
    memcpy(&header, (const unsigned char *)block - HEADER_BYTES, sizeof(header));
    return header;
}

EXPORT void *malloc(size_t size)
{
    return request(16, size);
}

EXPORT void free(void *block)
{
    if (block == NULL || is_early(block)) {
        return;
    }
    if (is_elsewhere()) {
        __libc_free(block);
        return;
    }
    const struct header header = header_of(block);
    const int error_number = errno;
    enter();
    node_allocator_release(heap.allocator, (unsigned char *)block - header.front, header.bytes);
    leave();
    errno = error_number;
}

EXPORT void *calloc(size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    if (is_elsewhere()) {
        return __libc_calloc(1, bytes);
    }
    void *block = request(16, bytes);
    return block != NULL ? memset(block, 0, bytes) : NULL;
}

EXPORT size_t malloc_usable_size(void *block)
{
    static size_t (*theirs)(void *);
    if (block == NULL) {
        return 0;
    }
    if (is_early(block) || !is_elsewhere()) {
        const struct header header = header_of(block);
        return header.bytes - header.front;
    }
    if (theirs == NULL) {
        void *found = dlsym(RTLD_NEXT, "malloc_usable_size");
        memcpy(&theirs, &found, sizeof(theirs));
    }
    return theirs != NULL ? theirs(block) : 0;
}

EXPORT void *realloc(void *old, size_t size)
{
    if (old == NULL) {
        return malloc(size);
    }
    if (size == 0) { /* as glibc */
        free(old);
        return NULL;
    }
    if (is_elsewhere() && !is_early(old)) {
        return __libc_realloc(old, size);
    }
    const size_t usable = malloc_usable_size(old);
    if (size <= usable && size >= usable / 2) {
        return old;
    }
    void *block = malloc(size);
    if (block != NULL) {
        memcpy(block, old, usable < size ? usable : size);
        free(old);
    }
    return block;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    size_t power = 16;
    if (alignment > ALIGNMENT_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    while (power < alignment && power < ALIGNMENT_MAX) {
        power *= 2;
    }
    return request(power, size);
}

__attribute__((destructor)) static void at_end(void)
{
    if (is_watched && control->process == getpid()) {
        process_memory_read(&control->memory);
    }
}
