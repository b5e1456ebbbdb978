/*
 * next_malloc.c - see next_malloc.h.
 */
#include "next_malloc.h"
#include "malloc_family.h"
#include <dlfcn.h>
#include <string.h>

/* glibc has no other name of malloc_usable_size, which asks for no memory. */
static size_t usable(void *block)
{
    static size_t (*theirs)(void *);
    if (theirs == NULL) {
        void *found = dlsym(RTLD_NEXT, "malloc_usable_size");
        memcpy(&theirs, &found, sizeof(theirs));
    }
    return theirs != NULL ? theirs(block) : 0;
}

struct next_malloc next = {.malloc = __libc_malloc,
                           .calloc = __libc_calloc,
                           .realloc = __libc_realloc,
                           .memalign = __libc_memalign,
                           .free = __libc_free,
                           .usable = usable};

/* The library that an address lies in; NULL: not known. */
static void *library_of(const void *address)
{
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

void next_malloc_find(void)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "memalign", "free"};
    void *found[5];
    void *const library = library_of(dlsym(RTLD_NEXT, "malloc"));
    /* tcmalloc, for one, has functions under glibc's own names, too */
    if (library == NULL || library == library_of(dlsym(RTLD_NEXT, "gnu_get_libc_version"))) {
        return;
    }
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
        found[i] = dlsym(RTLD_NEXT, names[i]);
        if (library_of(found[i]) != library) {
            return; /* a part of a malloc; the loader gives the program glibc's other functions */
        }
    }
    memcpy(&next.malloc, &found[0], sizeof(found[0]));
    memcpy(&next.calloc, &found[1], sizeof(found[1]));
    memcpy(&next.realloc, &found[2], sizeof(found[2]));
    memcpy(&next.memalign, &found[3], sizeof(found[3]));
    memcpy(&next.free, &found[4], sizeof(found[4]));
    next.library = library;
}
