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
        const unsigned class = page_classes[from];
        const bool is_wide = class > 0 && class_pages(class - 1) > 1;
        uint64_t count = is_wide ? page_extents[from] : class > 0;
        to = from + (is_wide ? class_pages(class - 1) : 1);
        while (!is_wide && class > 0 && to < pages && page_classes[to] > 0 &&
               class_pages(page_classes[to] - 1U) == 1) {
            count++;
            to++;
        }
        if (count > 0 && !map_pages(from, count, class > HUGE_FROM_CLASS)) {
            return false;
        }
    }
    store.pages = store.mapped = to;
    return true;
}

/* Give a class a new page, or the pages of a large block, aligned to its size; these are mapped
 * when they are asked for. */
static bool add_page(unsigned class)
{
    struct block_class *of = &store.classes[class];
    const uint64_t count = class_pages(class);
    const uint64_t first = (store.pages + count - 1) / count * count;
    const uint64_t mapped = store.mapped > first ? store.mapped - first : 0;
    if (first + count > BLOCK_PAGES_MAX) {
        return false;
    }
    if (count > 1) {
        page_extents[first] = (uint32_t)(mapped < count ? mapped : count);
    } else if (mapped == 0) {
        uint64_t step = MAP_STEP_PAGES;
        while (step > 0 && !map_pages(first, step, false)) {
            step /= MAP_STEP_PAGES; /* where memory ends, just the page */
        }
        if (step == 0) {
            return false;
        }
        store.mapped = first + step;
    }
    page_classes[first] = (uint8_t)(class + 1);
    store.pages = first + count;
    of->next = (char *)PROGRAM_BLOCKS + first * BLOCK_PAGE_BYTES;
    of->end = of->next + count * BLOCK_PAGE_BYTES;
    return true;
}

bool store_extend(void *block, size_t size)
{
    const uint64_t page = page_of(block);
    const unsigned class = page_classes[page] - 1U;
    const uint32_t wanted = pages_of_size(class, size);
    if (class_pages(class) == 1 || wanted <= page_extents[page]) {
        return true;
    }
    const uint64_t from = page + page_extents[page];
    if (!map_pages(from, page + wanted - from, class >= HUGE_FROM_CLASS)) {
        return false;
    }
    page_extents[page] = wanted;
    return true;
}

void *store_take(size_t room, size_t size, bool *is_fresh)
{
    if (room > BLOCK_BYTES_MAX) {
        return NULL;
    }
    const unsigned class = class_of_size(room);
    struct block_class *of = &store.classes[class];
    void **block = of->free;
    *is_fresh = block == NULL;
    if (block != NULL) {
        if (!store_extend(block, size)) {
            return NULL;
        }
        of->free = *block;
        return block;
    }
    if ((size_t)(of->end - of->next) < class_bytes(class) && !add_page(class)) {
        return NULL;
    }
    block = (void **)(void *)of->next;
    if (!store_extend(block, size)) {
        return NULL;
    }
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
