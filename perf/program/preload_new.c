/*
 * preload_new.c - operator new and delete of C++, where the next malloc has its own, as tcmalloc
 * has: it would not come by malloc. Elsewhere they call malloc, and so are only passed on.
 *
 * An exception goes through these functions, so nothing is to be undone in them when one comes: the
 * request is made by the operator that throws nothing, and a refused one again by the caller's.
 */
#include "malloc_family.h"
#include "next_malloc.h"
#include "preload.h"
#include <dlfcn.h>
#include <string.h>

enum operators {
    NEW,
    NEW_ARRAY,
    NEW_NOTHROW,
    NEW_ARRAY_NOTHROW,
    NEW_ALIGNED,
    NEW_ARRAY_ALIGNED,
    NEW_ALIGNED_NOTHROW,
    NEW_ARRAY_ALIGNED_NOTHROW,
    DELETE,
    DELETE_ARRAY,
    DELETE_SIZED,
    DELETE_ARRAY_SIZED,
    DELETE_NOTHROW,
    DELETE_ARRAY_NOTHROW,
    DELETE_ALIGNED,
    DELETE_ARRAY_ALIGNED,
    DELETE_SIZED_ALIGNED,
    DELETE_ARRAY_SIZED_ALIGNED,
    DELETE_ALIGNED_NOTHROW,
    DELETE_ARRAY_ALIGNED_NOTHROW,
    OPERATORS
};

static const char *const names[OPERATORS] = {"_Znwm",
                                             "_Znam",
                                             "_ZnwmRKSt9nothrow_t",
                                             "_ZnamRKSt9nothrow_t",
                                             "_ZnwmSt11align_val_t",
                                             "_ZnamSt11align_val_t",
                                             "_ZnwmSt11align_val_tRKSt9nothrow_t",
                                             "_ZnamSt11align_val_tRKSt9nothrow_t",
                                             "_ZdlPv",
                                             "_ZdaPv",
                                             "_ZdlPvm",
                                             "_ZdaPvm",
                                             "_ZdlPvRKSt9nothrow_t",
                                             "_ZdaPvRKSt9nothrow_t",
                                             "_ZdlPvSt11align_val_t",
                                             "_ZdaPvSt11align_val_t",
                                             "_ZdlPvmSt11align_val_t",
                                             "_ZdaPvmSt11align_val_t",
                                             "_ZdlPvSt11align_val_tRKSt9nothrow_t",
                                             "_ZdaPvSt11align_val_tRKSt9nothrow_t"};

/* Any of the operators: registers that an operator does not read may hold anything. */
typedef void *(*call_new)(size_t size, uintptr_t second, uintptr_t third);
typedef void (*call_delete)(void *block, uintptr_t second, uintptr_t third);

static struct {
    void *address;         /* NULL: not looked up, or there is no such function */
    bool is_known, is_own; /* of the next malloc's library */
} found[OPERATORS];

/* The operator that the program would have; NULL: none is found. */
static void *find(enum operators which)
{
    if (!found[which].is_known) {
        const bool was_in_next = is_in_next;
        is_in_next = true;
        void *address = dlsym(RTLD_NEXT, names[which]);
        if (address == NULL) { /* C++ came with a library that was opened later */
            void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
            address = library != NULL ? dlsym(library, names[which]) : NULL;
        }
        Dl_info info;
        found[which].is_own = next.library != NULL && address != NULL &&
                              dladdr(address, &info) != 0 && info.dli_fbase == next.library;
        found[which].address = address;
        found[which].is_known = true;
        is_in_next = was_in_next;
    }
    return found[which].address;
}

/* A request: of the caller's operator, or of the store. */
static void *take(enum operators which, size_t size, uintptr_t second, uintptr_t third)
{
    const bool is_aligned = which >= NEW_ALIGNED;
    const bool throws = which < NEW_NOTHROW || which == NEW_ALIGNED || which == NEW_ARRAY_ALIGNED;
    const enum operators quiet = throws ? which + NEW_NOTHROW - NEW : which;
    void *addresses[] = {find(which), find(quiet)};
    call_new calls[2];
    void *block = NULL;
    memcpy(calls, addresses, sizeof(calls));
    if (addresses[0] != NULL && (!found[which].is_own || preload_passes())) {
        return calls[0](size, second, third);
    }
    if (own.places || addresses[1] == NULL) {
        block = is_aligned ? memalign(second, size) : malloc(size);
    } else {
        struct program_event call = {.kind = is_aligned ? EVENT_ALIGNED : EVENT_MALLOC,
                                     .size = size,
                                     .alignment_shift =
                                         is_aligned ? (unsigned)__builtin_ctzll(second) : 0};
        is_in_next = true;
        block = calls[1](size, second, third);
        is_in_next = false;
        call.block = address_number(block);
        listen_write(&call);
    }
    if (block == NULL && throws) {
        if (addresses[0] == NULL) {
            __builtin_trap(); /* nobody can throw what C++ wants then */
        }
        return calls[0](size, second, third);
    }
    return block;
}

static void give(enum operators which, void *block, uintptr_t second, uintptr_t third)
{
    void *address = find(which);
    call_delete theirs;
    memcpy(&theirs, &address, sizeof(theirs));
    if (block == NULL) {
        return;
    }
    if (address == NULL || (own.places && is_stored(block))) {
        free(block);
        return;
    }
    if (!found[which].is_own || preload_passes() || own.places) {
        theirs(block, second, third);
        return;
    }
    listen_write(&(struct program_event){.kind = EVENT_FREE, .block = address_number(block)});
    is_in_next = true;
    theirs(block, second, third);
    is_in_next = false;
}

/* The names that the compiler gives them, where size_t is an unsigned long. */
#define OPERATOR_NEW(which, name)                                                                  \
    void *which##_(size_t size, uintptr_t second, uintptr_t third) __asm__(name);                  \
    EXPORT void *which##_(size_t size, uintptr_t second, uintptr_t third)                          \
    {                                                                                              \
        return take(which, size, second, third);                                                   \
    }
#define OPERATOR_DELETE(which, name)                                                               \
    void which##_(void *block, uintptr_t second, uintptr_t third) __asm__(name);                   \
    EXPORT void which##_(void *block, uintptr_t second, uintptr_t third)                           \
    {                                                                                              \
        give(which, block, second, third);                                                         \
    }

OPERATOR_NEW(NEW, "_Znwm")
OPERATOR_NEW(NEW_ARRAY, "_Znam")
OPERATOR_NEW(NEW_NOTHROW, "_ZnwmRKSt9nothrow_t")
OPERATOR_NEW(NEW_ARRAY_NOTHROW, "_ZnamRKSt9nothrow_t")
OPERATOR_NEW(NEW_ALIGNED, "_ZnwmSt11align_val_t")
OPERATOR_NEW(NEW_ARRAY_ALIGNED, "_ZnamSt11align_val_t")
OPERATOR_NEW(NEW_ALIGNED_NOTHROW, "_ZnwmSt11align_val_tRKSt9nothrow_t")
OPERATOR_NEW(NEW_ARRAY_ALIGNED_NOTHROW, "_ZnamSt11align_val_tRKSt9nothrow_t")
OPERATOR_DELETE(DELETE, "_ZdlPv")
OPERATOR_DELETE(DELETE_ARRAY, "_ZdaPv")
OPERATOR_DELETE(DELETE_SIZED, "_ZdlPvm")
OPERATOR_DELETE(DELETE_ARRAY_SIZED, "_ZdaPvm")
OPERATOR_DELETE(DELETE_NOTHROW, "_ZdlPvRKSt9nothrow_t")
OPERATOR_DELETE(DELETE_ARRAY_NOTHROW, "_ZdaPvRKSt9nothrow_t")
OPERATOR_DELETE(DELETE_ALIGNED, "_ZdlPvSt11align_val_t")
OPERATOR_DELETE(DELETE_ARRAY_ALIGNED, "_ZdaPvSt11align_val_t")
OPERATOR_DELETE(DELETE_SIZED_ALIGNED, "_ZdlPvmSt11align_val_t")
OPERATOR_DELETE(DELETE_ARRAY_SIZED_ALIGNED, "_ZdaPvmSt11align_val_t")
OPERATOR_DELETE(DELETE_ALIGNED_NOTHROW, "_ZdlPvSt11align_val_tRKSt9nothrow_t")
OPERATOR_DELETE(DELETE_ARRAY_ALIGNED_NOTHROW, "_ZdaPvSt11align_val_tRKSt9nothrow_t")
