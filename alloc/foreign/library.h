/*
 * library.h - a malloc-like shared object, found by a short name; private to the allocators.
 */
#pragma once

#include <stdbool.h>

/* Makes the C library reserve enough static thread-local storage for any of them. */
#define STATIC_TLS_TUNABLE_NAME "glibc.rtld.optional_static_tls"
#define STATIC_TLS_TUNABLE      STATIC_TLS_TUNABLE_NAME "=16384"

struct library {
    void *handle; /* NULL: not open */
    char file[160];
    char why[300];         /* it could not be opened */
    bool needs_static_tls; /* installed, but the C library has too little static storage */
};

/*
 * Open a shared object by the user's name for it: a path, or libNAME_minimal.so with any version,
 * or libNAME.so; file is the one found. False with why set if it is not found; errno is ENOMEM when
 * out of memory.
 */
bool library_open(struct library *library, const char *name);

/* The function prefix + name in the library itself, not in one it is linked to; or NULL. */
void *library_symbol(void *handle, const char *prefix, const char *name);
