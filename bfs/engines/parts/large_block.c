/*
 * large_block.c - aligned, zeroed working memory, in huge pages when asked for.
 */
#include "large_block.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CACHE_LINE_BYTES ((size_t)64)
#define HUGE_PAGE_BYTES  ((size_t)2 << 20)

static atomic_bool use_huge_pages;

void large_block_use_huge_pages(bool on)
{
    atomic_store(&use_huge_pages, on);
}

/* The block is aligned within a larger one, whose address stands just before it. */
void *large_block_create(size_t bytes)
{
    bool huge = bytes >= HUGE_PAGE_BYTES && atomic_load(&use_huge_pages);
    size_t unit = huge ? HUGE_PAGE_BYTES : CACHE_LINE_BYTES;
    if (bytes > SIZE_MAX - 2 * unit) {
        return NULL;
    }
    size_t rounded = (bytes + unit - 1) / unit * unit;
    unsigned char *whole =
        calloc(1, rounded + unit); /* large ones come untouched from the system */
    if (whole == NULL) {
        return NULL;
    }
    unsigned char *block = whole + unit - ((uintptr_t)whole & (unit - 1));
    ((void **)block)[-1] = whole;
    if (huge) {
        madvise(block, rounded, MADV_HUGEPAGE); /* refused: normal pages, which is as good */
    }
    return block;
}

void large_block_free(void *block)
{
    if (block != NULL) {
        free(((void **)block)[-1]);
    }
}
