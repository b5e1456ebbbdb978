/*
 * next_malloc.h - the malloc that the program would have without the library before it: of the next
 * library that defines it, as tcmalloc where the program is linked with that, else of glibc.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct next_malloc {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *block, size_t size);
    void *(*memalign)(size_t alignment, size_t size);
    void (*free)(void *block);
    size_t (*usable)(void *block);
    void *library; /* where it begins in memory; NULL: it is glibc */
};

/* glibc's until next_malloc_find was called. */
extern struct next_malloc next;

/* Look the functions up. Call it once, before the process has a second thread. */
void next_malloc_find(void);
