/*
 * large_block.c - see large_block.h. A header just before the block records its mapping.
 */
#include "large_block.h"
#include "base/huge_pages.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct header {
    void *start;
    size_t mapped; /* bytes; 0: from calloc */
};
_Static_assert(sizeof(struct header) <= CACHE_LINE_BYTES, "the header fits before the block");

static atomic_bool use_huge_pages;

void large_block_use_huge_pages(bool on)
{
    atomic_store(&use_huge_pages, on);
}

void *large_block_create(size_t bytes)
{
    const size_t whole = bytes + (size_t)2 * CACHE_LINE_BYTES;
    const bool huge = bytes >= HUGE_PAGE_BYTES && atomic_load(&use_huge_pages);
    if (whole < bytes) {
        return NULL;
    }
    /* Large blocks of calloc come untouched from the system, like mapped ones. */
    unsigned char *start = huge ? huge_pages_map(whole, NULL) : calloc(1, whole);
    if (start == NULL) {
        return NULL;
    }
    const size_t past = (uintptr_t)start & (CACHE_LINE_BYTES - 1);
    unsigned char *block = start + (size_t)2 * CACHE_LINE_BYTES - past;
    pw_assert((uintptr_t)block % CACHE_LINE_BYTES == 0);
    ((struct header *)block)[-1] = (struct header){start, huge ? whole : 0};
    return block;
}

void large_block_free(void *block)
{
    if (block == NULL) {
        return;
    }
    pw_assert((uintptr_t)block % CACHE_LINE_BYTES == 0);
    const struct header header = ((struct header *)block)[-1];
    if (header.mapped > 0) {
        munmap(header.start, header.mapped);
    } else {
        free(header.start);
    }
}
