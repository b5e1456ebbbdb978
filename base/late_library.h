/*
 * late_library.h - a library of others, opened when it is first needed, not at the start.
 *
 * libarchive brings a dozen further libraries with it, and loading them takes longer than a short
 * question. So the program asks the dynamic linker for it only when a file needs it.
 *
 * 1. A module names the functions that it calls in a macro F(X), and defines the library and a
 *    table by LATE_CALLS(library, table, F, SONAME).
 * 2. It calls late_library_open, and then table.NAME(...) instead of NAME(...).
 * 3. Without PW_LATE_LIBRARIES the table holds the functions themselves: the library is linked.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct late_library {
    const char *file;           /* its SONAME, such as "libz.so.1"; NULL: it is linked */
    const char *const *symbols; /* the names of its functions */
    size_t count;
    void *calls; /* count pointers to functions, set in the order of symbols */
    pthread_mutex_t mutex;
    bool is_open;
};

#define LATE_LIBRARY_MEMBER(name) __typeof__(name) *(name);
#define LATE_LIBRARY_SYMBOL(name) #name,
#define LATE_LIBRARY_LINKED(name) .name = (name),

/* Define the static library of that SONAME, and the table of the functions in list. */
#ifdef PW_LATE_LIBRARIES
#define LATE_CALLS(library, table, list, soname)                                                   \
    static struct {                                                                                \
        list(LATE_LIBRARY_MEMBER)                                                                  \
    }(table);                                                                                      \
    static struct late_library library = {.file = (soname),                                        \
                                          .symbols =                                               \
                                              (const char *const[]){list(LATE_LIBRARY_SYMBOL)},    \
                                          .count = sizeof(table) / sizeof(void *),                 \
                                          .calls = &(table),                                       \
                                          .mutex = PTHREAD_MUTEX_INITIALIZER}
#else
#define LATE_CALLS(library, table, list, soname)                                                   \
    static const struct {                                                                          \
        list(LATE_LIBRARY_MEMBER)                                                                  \
    }(table) = {list(LATE_LIBRARY_LINKED)};                                                        \
    static struct late_library library = {.file = NULL, .mutex = PTHREAD_MUTEX_INITIALIZER}
#endif

/*
 * Open the library and look up its functions, unless that has been done; it stays open. May be
 * called by several threads. False with why (at most size bytes, also "out of memory") if it or one
 * of its functions is not there; the next call tries again.
 */
bool late_library_open(struct late_library *library, char *why, size_t size);
