/*
 * lib.c - the allocator "lib": any malloc-like library, named at run time.
 *
 * 1. lib:jemalloc opens libjemalloc.so, whatever its version; lib:./mine.so opens a file.
 * 2. Its malloc and free are looked up under the prefixes in use: mi_, tc_, je_, dl, xx, "", and
 *    prefix=; both must lie in the library itself, not in one that it is linked to.
 * 3. Requests go to it; the memory source is not asked.
 * Cost: one indirect call. A library stays loaded until the process ends, for its threads' sake.
 * Sizes below 16 are requested as 16: these libraries align smaller ones to 8.
 */
#include "alloc/allocators.h"
#include "alloc/refuse.h"
#include "base/macros.h"
#include "library.h"
#include <stdio.h>
#include <string.h>

enum { OPTION_NAME, OPTION_PREFIX };

struct lib {
    struct node_allocator base;
    void *(*allocate)(size_t size);
    void (*release)(void *block);
    struct library library;
    char prefix[24];
};

static const struct node_option options[] = {
    [OPTION_NAME] = {"name", NODE_OPTION_LIBRARY, "c", NULL, 0, 0,
                     "library: jemalloc, mimalloc, tcmalloc, or a path"},
    [OPTION_PREFIX] = {"prefix", NODE_OPTION_TEXT, "", NULL, 0, 0,
                       "the prefix of its malloc and free; without it, the known ones"},
    {.name = NULL},
};

static bool find_pair(struct lib *lib, const char *prefix)
{
    void *allocate = library_symbol(lib->library.handle, prefix, "malloc");
    void *release = library_symbol(lib->library.handle, prefix, "free");
    if (allocate == NULL || release == NULL) {
        return false;
    }
    memcpy(&lib->allocate, &allocate, sizeof(allocate));
    memcpy(&lib->release, &release, sizeof(release));
    snprintf(lib->prefix, sizeof(lib->prefix), "%s", prefix);
    return true;
}

static bool lib_create(struct node_allocator *self, const struct node_option_value *values,
                       struct node_allocator_error *error)
{
    static const char *const prefixes[] = {"mi_", "tc_", "je_", "dl", "xx", ""};
    struct lib *lib = (struct lib *)self;
    const char *chosen = values[OPTION_PREFIX].text;
    if (!library_open(&lib->library, values[OPTION_NAME].text)) {
        return refuse(error, "lib: %s", lib->library.why);
    }
    if (chosen[0] != '\0') {
        return find_pair(lib, chosen) || refuse(error, "lib: %s has no %.32smalloc and %.32sfree",
                                                lib->library.file, chosen, chosen);
    }
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        if (find_pair(lib, prefixes[i])) {
            return true;
        }
    }
    return refuse(error,
                  "lib: %s has no malloc and free, plain or with mi_, tc_, je_, dl or xx before "
                  "them; prefix= names others",
                  lib->library.file);
}

static void *lib_allocate(struct node_allocator *self, size_t size)
{
    return ((struct lib *)self)->allocate(size < 16 ? 16 : size);
}

static void lib_release(struct node_allocator *self, void *block, size_t size)
{
    (void)size;
    ((struct lib *)self)->release(block);
}

static void lib_statistics(const struct node_allocator *self, struct node_allocator_statistics *out)
{
    const struct lib *lib = (const struct lib *)self;
    snprintf(out->library, sizeof(out->library), "%.99s", lib->library.file);
    snprintf(out->note, sizeof(out->note), "%.96s, %smalloc; its calls are not counted",
             lib->library.file, lib->prefix);
}

/* What the two families do: a size word in front (libc, dlmalloc), or pages of one size. */
static double lib_bytes_per_block(const struct node_allocator *self, size_t size)
{
    const struct lib *lib = (const struct lib *)self;
    if (strcmp(lib->prefix, "dl") == 0 || strncmp(lib->library.file, "libc.", 5) == 0) {
        return malloc_allocator.bytes_per_block(self, size);
    }
    return node_allocator_bytes_rounded(self, size);
}

const struct node_allocator_type lib_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "lib",
    .summary = "a malloc library by name: lib:jemalloc, lib:mimalloc, lib:tcmalloc, lib:./mine.so",
    .flags = NODE_ALLOCATOR_THREAD_SAFE | NODE_ALLOCATOR_GIVES_BACK |
             NODE_ALLOCATOR_MAY_BE_MISSING | NODE_ALLOCATOR_FOREIGN | NODE_ALLOCATOR_OWN_MALLOC,
    .instance_bytes = sizeof(struct lib),
    .options = options,
    .bytes_per_block = lib_bytes_per_block,
    .create = lib_create,
    .allocate = lib_allocate,
    .release = lib_release,
    .statistics = lib_statistics,
};
