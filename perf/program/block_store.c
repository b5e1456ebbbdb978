/*
 * block_store.c - see block_store.h.
 */
#include "block_store.h"
#include <string.h>
#include <sys/mman.h>

#define MAP_STEP_PAGES 16
#define MOVE_FROM      ((size_t)4 << 20) /* bytes: smaller ones are copied in less time */
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* from Linux 5.7 on; an older system copies */
#endif

struct block_store store = {.pages = 1, .mapped = 1};

/* Map pages of blocks. Small blocks are not backed by huge pages, as a heap that grows step by step
 * mostly is not. */
static bool map_pages(uint64_t from, uint64_t count, bool is_huge)
{
    char *const place = (char *)PROGRAM_BLOCKS + from * BLOCK_PAGE_BYTES;
    const size_t bytes = count * BLOCK_PAGE_BYTES;
    const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(place, bytes, PROT_READ | PROT_WRITE, kind, -1, 0) != place) {
        return false;
    }
    if (!is_huge) {
        madvise(place, bytes, MADV_NOHUGEPAGE);
    }
    return true;
}

bool map_recorded(uint64_t pages)
{
    uint64_t to = 1;
    for (uint64_t from = 1; from < pages; from = to) {
        const bool is_huge = page_classes[from] > HUGE_FROM_CLASS;
        to += is_huge ? class_pages(page_classes[from] - 1U) : 1;
        while (!is_huge && to < pages && page_classes[to] <= HUGE_FROM_CLASS) {
            to++;
        }
        if (!map_pages(from, to - from, is_huge)) {
            return false;
        }
    }
    store.pages = store.mapped = to;
    return true;
}

/* Give a class a new page, or the pages of a large block, aligned to its size. */
static bool add_page(unsigned class)
{
    struct block_class *of = &store.classes[class];
    const uint64_t count = class_pages(class);
    const uint64_t first = (store.pages + count - 1) / count * count;
    if (first + count > BLOCK_PAGES_MAX) {
        return false;
    }
    if (first + count > store.mapped) {
        const bool is_huge = class >= HUGE_FROM_CLASS;
        uint64_t step = first + count - store.mapped;
        step = is_huge || step > MAP_STEP_PAGES ? step : MAP_STEP_PAGES;
        if (!map_pages(store.mapped, step, is_huge)) {
            return false;
        }
        store.mapped += step;
    }
    page_classes[first] = (uint8_t)(class + 1);
    store.pages = first + count;
    of->next = (char *)PROGRAM_BLOCKS + first * BLOCK_PAGE_BYTES;
    of->end = of->next + count * BLOCK_PAGE_BYTES;
    return true;
}

void *store_take(size_t size, bool *is_fresh)
{
    if (size > BLOCK_BYTES_MAX) {
        return NULL;
    }
    const unsigned class = class_of_size(size);
    struct block_class *of = &store.classes[class];
    void **block = of->free;
    *is_fresh = block == NULL;
    if (block != NULL) {
        of->free = *block;
        return block;
    }
    if ((size_t)(of->end - of->next) < class_bytes(class) && !add_page(class)) {
        return NULL;
    }
    block = (void **)(void *)of->next;
    of->next += class_bytes(class);
    return block;
}

void store_move(void *to, void *from, size_t size)
{
    const size_t usable = stored_bytes(from);
    const size_t bytes = usable < size ? usable : size;
    /* whole pages belong to a large block; what lies after the copied bytes is anything */
    if (usable >= MOVE_FROM && bytes == usable && stored_bytes(to) >= usable &&
        mremap(from, usable, usable, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == to) {
        return;
    }
    memcpy(to, from, bytes);
}

void store_give(void *block)
{
    const unsigned class = page_classes[page_of(block)];
    if (class > 0) {
        struct block_class *of = &store.classes[class - 1];
        *(void **)block = of->free;
        of->free = block;
    }
}
