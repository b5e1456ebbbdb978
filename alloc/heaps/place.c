/*
 * place.c - return addresses from the unwinder, names from the dynamic symbol tables.
 *
 * Frames within the library that holds the allocators are skipped up to its first exported
 * function. A program's own functions have names only if it was linked with -rdynamic; the others
 * are given as an offset in their file, for addr2line. Where the C library has no backtrace
 * (musl) no place is known.
 */
#include "place.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SKIPPED_MAX 8

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else
static int backtrace(void **frames, int room)
{
    (void)frames;
    (void)room;
    return 0;
}
#endif

/* True if an address lies in an unexported function of this object. */
static bool is_ours(void *address)
{
    Dl_info here;
    Dl_info there;
    return dladdr((void *)(uintptr_t)&place_here, &here) != 0 && dladdr(address, &there) != 0 &&
           here.dli_fbase == there.dli_fbase && there.dli_sname == NULL;
}

void place_here(struct place *place)
{
    void *frames[PLACE_FRAMES + SKIPPED_MAX];
    int count = (int)backtrace(frames, PLACE_FRAMES + SKIPPED_MAX);
    int first = count < 2 ? 0 : 2; /* skip this function and the allocator's */
    while (first < count && first < SKIPPED_MAX && is_ours(frames[first])) {
        first++;
    }
    memset(place, 0, sizeof(*place));
    for (int i = 0; i < PLACE_FRAMES && first + i < count; i++) {
        place->frames[i] = frames[first + i];
    }
}

void place_write(const struct place *place, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "%s", place->frames[0] == NULL ? "an unknown caller" : "");
    for (int i = 0; i < PLACE_FRAMES && place->frames[i] != NULL; i++) {
        Dl_info info = {0};
        const char *arrow = i > 0 ? " < " : "";
        const char *address = place->frames[i];
        const char *name = NULL;
        const void *start = NULL;
        if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
            const char *slash = strrchr(info.dli_fname, '/');
            name = slash != NULL ? slash + 1 : info.dli_fname;
            start = info.dli_fbase;
        }
        if (info.dli_sname != NULL) {
            name = info.dli_sname;
            start = info.dli_saddr;
        }
        int length = name == NULL
                         ? snprintf(text + used, size - used, "%s%p", arrow, (const void *)address)
                         : snprintf(text + used, size - used, "%s%s+%#tx", arrow, name,
                                    address - (const char *)start);
        if (length < 0 || (size_t)length >= size - used) {
            return;
        }
        used += (size_t)length;
    }
}
