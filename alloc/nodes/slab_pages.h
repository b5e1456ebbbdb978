/*
 * slab_pages.h - the memory of a slab: chunks, and the pages in them.
 *
 * 1. A page has blocks of one size. A front carves it in address order. Its blocks may come back
 *    through any front: a mask finds the page, and the page counts blocks that are not back (out).
 * 2. A front settles a whole run with the page: it links the blocks, puts them before the first
 *    block that is back, and subtracts their number from out. That is one atomic step without a
 *    lock. A run of all blocks of the page needs no links.
 * 3. A thread that brings out to 0 puts the page on the list of empty pages. A thread that brings
 *    it to half of the capacity or less puts it on the list of half pages. These lists, and chunks,
 *    are under the lock. The page may change while a thread waits for the lock, and is looked at
 *    again then.
 * 4. A thread that takes a half page owns all blocks that are back. They count as out then.
 */
#pragma once

#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"
#include <stdatomic.h>

#define PAGE_BYTES      ((size_t)SLAB_PAGE_BYTES)
#define SLAB_PAGE_BYTES 16384

/* From LARGE_SLAB on, first touches of small pages may take two thirds of a search's time. A chunk
 * is then at most an eighth of what is held. */
#define LARGE_SLAB     ((uint64_t)256 << 20)
#define LARGEST_GROWTH ((size_t)64 << 20)

enum page_state {
    PAGE_EMPTY, /* on the list of empty pages */
    PAGE_USED,  /* in no list: more than half of its blocks are out */
    PAGE_HALF,  /* on the list of half pages of its size */
};

/* Which blocks of a page are back. A thread changes both members at once. */
struct page_blocks {
    uint16_t out;  /* blocks that are not back: in use, or with a front, also if never given */
    uint16_t back; /* the first block that is back, in bytes from the start of the page; the first
                      word of each links to the next. Meaningless while all are out */
};

/* The start of every page. All but blocks is changed under the lock. */
struct slab_page {
    struct slab_page *next, *previous; /* in a list; the list of empty pages has no previous */
    _Atomic struct page_blocks blocks;
    uint16_t capacity; /* blocks */
    uint16_t block_bytes;
    uint8_t state; /* enum page_state */
};

#define PAGE_HEADER ((sizeof(struct slab_page) + 15) & ~(size_t)15) /* blocks are aligned to 16 */

/* The start of every chunk; its pages begin at the next page boundary. */
struct slab_chunk {
    struct slab_chunk *next;
    uint32_t bytes;
    uint32_t opened; /* pages used since the last reset; later ones are free */
};

/* The smallest chunk: one page wherever malloc puts it, if it aligns to 16 bytes as the start of a
 * chunk does. Where it aligns to 8, on 32 bits, such a chunk may have no page. */
#define CHUNK_MIN (2 * PAGE_BYTES)
_Static_assert(sizeof(struct slab_chunk) <= 16, "the start of the least chunk leaves a page");

/* Changed under the lock. One struct: the state of an instance is one. */
struct slab {
    struct node_allocator base;
    size_t chunk_bytes;   /* of a chunk while less than LARGE_SLAB is held */
    size_t largest_bytes; /* no chunk is larger: the last size that worked after a refusal */
    size_t refused_bytes; /* the largest size that was refused; 0: never */
    bool huge;            /* every chunk is mapped; else the source's */
    bool huge_if_large;   /* ask for huge pages from LARGE_SLAB on */
    bool watched;         /* by Memcheck or AddressSanitizer */
    const char *note;
    struct slab_chunk *chunks;  /* the newest first */
    struct slab_chunk *opening; /* has the next page to open; NULL: no chunk has */
    struct slab_page *empty;
    struct slab_page *half[SIZE_CLASS_COUNT];
    size_t half_count[SIZE_CLASS_COUNT];
    size_t page_count[SIZE_CLASS_COUNT]; /* pages that are not empty */
    uint64_t held_bytes;
    uint64_t held_bytes_max;
    uint64_t large_live;       /* blocks above SIZE_CLASS_MAX, straight from the source */
    struct node_front *fronts; /* the open fronts, of threads */
    struct node_front direct[SIZE_CLASS_COUNT]; /* for allocate and release; under the lock */
    PW_DEBUG_ONLY(uint64_t steps;)
};

/* The block after a block that is back. */
static inline void *slab_next_back(const struct slab *slab, void *block)
{
    block_mark_own(slab->watched, block, sizeof(void *));
    void *next = *(void **)block;
    block_mark_dead(slab->watched, block, sizeof(void *));
    return next;
}

struct slab_page *slab_chunk_page(const struct slab_chunk *chunk, size_t index);
void slab_hold(struct slab *slab, size_t bytes);

/* The next two take the lock unless this thread has it. Give blocks to an empty front: a page
 * to carve, or the free blocks of a half page. False: no memory. */
bool slab_refill(struct slab *slab, struct node_front *front);

/* Settle the run of a front with its page; the front has no run then. */
void slab_settle(struct slab *slab, struct node_front *front);

/* Settle all that a front has, also what it did not carve. Under the lock. */
void slab_empty_front(struct slab *slab, struct node_front *front);

/* Blocks that are alive in pages, while no thread takes or gives one. It looks at each page. */
uint64_t slab_live_blocks(const struct slab *slab);

/* Every page is free again, in address order, and no front has a block. */
void slab_reset(struct slab *slab);

/* Give the chunks without a used page back. */
void slab_trim_chunks(struct slab *slab);
