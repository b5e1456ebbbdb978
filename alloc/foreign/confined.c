/*
 * confined.c - the allocator "region": a real malloc library, confined to one region.
 *
 * 1. The region is mapped, aligned to 32 MiB, and given to mimalloc as an arena of its own
 *    (mi_manage_os_memory_ex). A heap in that arena takes nothing from anywhere else.
 * 2. Every block is compared with the region: one outside goes back, and the request fails.
 * 3. mimalloc cannot give an arena up. Regions stay mapped until the process ends, and the next
 *    heap of that size has them again; they are all of the process-wide state.
 * 4. A heap of mimalloc is its thread's: in another thread a request fails, and a release is fine.
 * Cost: an indirect call and three comparisons. It places blocks as a real allocator does, and can
 * be recorded all the same. Source: the article on replay suggests it.
 */
#include "alloc/allocators.h"
#include "alloc/heaps/region.h"
#include "alloc/refuse.h"
#include "base/macros.h"
#include "library.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_ALIGN ((size_t)32 << 20) /* a segment of mimalloc */
#define ARENAS_MAX  32                 /* mimalloc has room for some hundred */

enum { OPTION_NAME, OPTION_HEAP };

/* What is used of mimalloc 2. */
struct arena_functions {
    bool (*manage)(void *start, size_t size, bool is_committed, bool is_large, bool is_zero,
                   int numa_node, bool exclusive, int *arena);
    void *(*heap_new)(int arena);
    void *(*heap_malloc)(void *heap, size_t size);
    void (*heap_collect)(void *heap, bool force);
    void (*heap_destroy)(void *heap);
    void (*free)(void *block);
    int (*version)(void);
};

static const char *const function_names[] = {"manage_os_memory_ex",
                                             "heap_new_in_arena",
                                             "heap_malloc",
                                             "heap_collect",
                                             "heap_destroy",
                                             "free",
                                             "version"};
_Static_assert(sizeof(struct arena_functions) == COUNT_OF(function_names) * sizeof(void *),
               "a name per function");

struct arena {
    void *library; /* NULL: this row is not used */
    unsigned char *base;
    size_t bytes;
    int id;
    bool is_taken;
};

struct confined {
    struct node_allocator base;
    struct region region; /* of the arena */
    struct arena_functions library;
    struct arena *arena;
    void *heap;
    uint64_t thread; /* whose heap it is */
    uint64_t live;
    uint64_t escaped; /* blocks that lay outside */
    size_t used;      /* bytes up to the end of the highest block ever given */
    char file[160];
    int version;
};

static const struct node_option options[] = {
    [OPTION_NAME] = {"name", NODE_OPTION_LIBRARY, "mimalloc", NULL, 0, 0,
                     "library: mimalloc, or a path to one of its version 2"},
    [OPTION_HEAP] = {"heap", NODE_OPTION_SIZE, "256M", NULL, 2 * ARENA_ALIGN, (uint64_t)1 << 46,
                     "bytes of the region, rounded up to 32 MiB"},
    {.name = NULL},
};

static struct arena arenas[ARENAS_MAX];
static pthread_mutex_t arenas_mutex = PTHREAD_MUTEX_INITIALIZER;

/* The number of this thread; no later one has it again. */
static uint64_t this_thread(void)
{
    static _Thread_local uint64_t number;
    static atomic_uint_least64_t last;
    if (number == 0) {
        number = atomic_fetch_add(&last, 1) + 1;
    }
    return number;
}

static bool find_functions(struct confined *confined, void *handle)
{
    for (size_t i = 0; i < COUNT_OF(function_names); i++) {
        void *address = library_symbol(handle, "mi_", function_names[i]);
        if (address == NULL) {
            return false;
        }
        memcpy((char *)&confined->library + i * sizeof(address), &address, sizeof(address));
    }
    confined->version = confined->library.version();
    return confined->version >= 200 && confined->version < 300;
}

/* A new arena in a row of the table; false: there is no memory, or the library refuses it. */
static bool arena_map(struct arena *row, const struct confined *confined, void *handle,
                      size_t bytes)
{
    unsigned char *mapped = mmap(NULL, bytes + ARENA_ALIGN, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        return false;
    }
    size_t before = -(uintptr_t)mapped & (ARENA_ALIGN - 1);
    *row = (struct arena){.library = handle, .base = mapped + before, .bytes = bytes};
    if (!confined->library.manage(row->base, bytes, true, false, true, -1, true, &row->id)) {
        munmap(mapped, bytes + ARENA_ALIGN);
        row->library = NULL;
        errno = ENOMEM;
        return false;
    }
    return true;
}

/* An arena of that size that no heap has: one from before, or a new one; or NULL. */
static struct arena *arena_take(const struct confined *confined, void *handle, size_t bytes)
{
    struct arena *unused = NULL;
    struct arena *taken = NULL;
    pthread_mutex_lock(&arenas_mutex);
    for (size_t i = ARENAS_MAX; i-- > 0 && taken == NULL;) {
        struct arena *row = &arenas[i];
        unused = row->library == NULL ? row : unused;
        taken = row->library == handle && row->bytes == bytes && !row->is_taken ? row : NULL;
    }
    if (taken == NULL && unused != NULL && arena_map(unused, confined, handle, bytes)) {
        taken = unused;
    }
    if (taken != NULL) {
        taken->is_taken = true;
    }
    pthread_mutex_unlock(&arenas_mutex);
    return taken;
}

static void arena_give(struct arena *arena)
{
    pthread_mutex_lock(&arenas_mutex);
    pw_assert(arena->is_taken);
    arena->is_taken = false;
    pthread_mutex_unlock(&arenas_mutex);
}

static bool confined_create(struct node_allocator *self, const struct node_option_value *values,
                            struct node_allocator_error *error)
{
    struct confined *confined = (struct confined *)self;
    struct library library;
    if (!library_open(&library, values[OPTION_NAME].text)) {
        return refuse(error, "region: %s", library.why);
    }
    memcpy(confined->file, library.file, sizeof(confined->file));
    if (!find_functions(confined, library.handle)) {
        return refuse(error, "region: %s is not mimalloc 2, whose arenas are used", library.file);
    }
    size_t bytes = ((size_t)values[OPTION_HEAP].number + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
    confined->arena = arena_take(confined, library.handle, bytes);
    if (confined->arena == NULL) {
        return refuse(error, "region: out of memory for a heap of %zu bytes, or of regions", bytes);
    }
    confined->heap = confined->library.heap_new(confined->arena->id);
    if (confined->heap == NULL) {
        arena_give(confined->arena);
        errno = ENOMEM;
        return refuse(error, "region: %s makes no heap", library.file);
    }
    confined->thread = this_thread();
    confined->region = (struct region){
        .block = confined->arena->base, .base = confined->arena->base, .bytes = bytes};
    return true;
}

static void *confined_allocate(struct node_allocator *self, size_t size)
{
    struct confined *confined = (struct confined *)self;
    if (size > confined->region.bytes || confined->thread != this_thread()) {
        return NULL;
    }
    unsigned char *block = confined->library.heap_malloc(confined->heap, size < 16 ? 16 : size);
    if (block == NULL) {
        return NULL;
    }
    size_t end = (size_t)(block - confined->region.base) + size;
    if (block < confined->region.base || end > confined->region.bytes) {
        confined->escaped++;
        confined->library.free(block);
        return NULL;
    }
    confined->used = end > confined->used ? end : confined->used;
    confined->live++;
    return block;
}

static void confined_release(struct node_allocator *self, void *block, size_t size)
{
    struct confined *confined = (struct confined *)self;
    (void)size;
    pw_assert(confined->live > 0);
    pw_assert((size_t)((unsigned char *)block - confined->region.base) < confined->region.bytes);
    confined->live--;
    confined->library.free(block);
}

static void confined_trim(struct node_allocator *self)
{
    struct confined *confined = (struct confined *)self;
    if (confined->thread == this_thread()) {
        confined->library.heap_collect(confined->heap, true);
    }
}

static void confined_statistics(const struct node_allocator *self,
                                struct node_allocator_statistics *out)
{
    const struct confined *confined = (const struct confined *)self;
    const size_t needed = (confined->used + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
    out->live_blocks = confined->live;
    out->held_bytes = out->held_bytes_max = out->heap_bytes = confined->region.bytes;
    out->heap_bytes_needed = needed < 2 * ARENA_ALIGN ? 2 * ARENA_ALIGN : needed;
    if (confined->escaped > 0) {
        snprintf(out->note, sizeof(out->note), "%.60s gave %llu blocks outside of its region",
                 confined->file, (unsigned long long)confined->escaped);
    } else {
        snprintf(out->note, sizeof(out->note), "%.100s, version %d.%d", confined->file,
                 confined->version / 100, confined->version % 100);
    }
}

static bool confined_check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct confined *confined = (const struct confined *)self;
    bool is_sound = confined->escaped == 0 && confined->arena->is_taken &&
                    confined->used <= confined->region.bytes;
    if (!is_sound) {
        snprintf(message, message_size, "region: %llu blocks lay outside of the region",
                 (unsigned long long)confined->escaped);
    }
    return is_sound;
}

static void confined_destroy(struct node_allocator *self)
{
    struct confined *confined = (struct confined *)self;
    if (confined->heap == NULL) {
        return;
    }
    bool is_ours = confined->thread == this_thread();
    if (is_ours) { /* else it went with its thread, and left the blocks that were alive */
        confined->library.heap_destroy(confined->heap);
    }
    if (is_ours || confined->live == 0) {
        arena_give(confined->arena);
    }
}

const struct node_allocator_type region_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "region",
    .summary = "a malloc library confined to one region: region(mimalloc)",
    .flags = NODE_ALLOCATOR_ASKS_RARELY | NODE_ALLOCATOR_MAY_BE_MISSING | NODE_ALLOCATOR_FOREIGN,
    .instance_bytes = sizeof(struct confined),
    .options = options,
    .bytes_per_block = node_allocator_bytes_rounded, /* pages of blocks of one size */
    .create = confined_create,
    .allocate = confined_allocate,
    .release = confined_release,
    .trim = confined_trim,
    .statistics = confined_statistics,
    .check = confined_check,
    .destroy = confined_destroy,
    .region = region_describe,
};
