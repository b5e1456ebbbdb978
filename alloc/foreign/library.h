/*
 * library.h - a malloc-like shared object, found by a short name; private to the allocators.
 */
#ifndef PW_LIBRARY_H
#define PW_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* What makes the C library reserve enough static thread-local storage for any of them. */
#define STATIC_TLS_TUNABLE_NAME "glibc.rtld.optional_static_tls"
#define STATIC_TLS_TUNABLE      STATIC_TLS_TUNABLE_NAME "=16384"

/*
 * Open the shared object a user calls name: a path, or libNAME.so with any version, or
 * libNAME_minimal.so. file: its file name, as found. NULL with why set when there is none.
 * needs_static_tls: it is there, but the C library has too little static thread-local storage.
 */
void *library_open(const char *name, char *file, size_t file_size, char *why, size_t why_size,
                   bool *needs_static_tls);

#endif
