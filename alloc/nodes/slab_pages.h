/*
 * slab_pages.h - the memory of a slab: chunks, and the pages of a front.
 *
 * 1. A page serves one front: a list's, or the shared one of allocate and release. Its header names
 *    the front. So the owner of a block is found by a mask and a load.
 * 2. A front carves its current page. While blocks come back in order, the front alone knows how
 *    many: nothing is written to the page until half of it, or all, is back.
 * 3. All else is in the page's header: a free list, a countdown, and the front's lists of pages.
 * 4. A page without a block is nobody's. Only there, and where a chunk is asked for, is a lock.
 * 5. In a process with threads a front keeps some such pages, and takes and gives them together: a
 *    share of what it has, so that long lists ask seldom and short ones hold little.
 * 6. There a thread has a lock of its own while it moves pages, for which only fork waits: a child
 *    finds every page in its place. It is taken three times per page, and for no push onto a page.
 */
#pragma once

#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/magazines.h"
#include "alloc/node_front.h"
#include "alloc/size_class.h"

#define PAGE_BYTES      ((size_t)SLAB_PAGE_BYTES)
#define SLAB_PAGE_BYTES 16384

/* From LARGE_SLAB on, first touches of small pages may take two thirds of a search's time. A chunk
 * is then at most an eighth of what is held. */
#define LARGE_SLAB     ((uint64_t)256 << 20)
#define LARGEST_GROWTH ((size_t)64 << 20)

/* The most spare pages of a front. */
#define SPARES_MAX 16

enum page_state {
    PAGE_EMPTY,   /* on the slab's empty list */
    PAGE_SPARE,   /* without a block too, but a front's: they hang on its current page */
    PAGE_CURRENT, /* being carved, or its free list handed to the front */
    PAGE_USED,    /* less than half of its blocks are back; on the front's list of used pages */
    PAGE_HALF,    /* at least half are back; on the front's list of half pages */
};

/* The start of every page. "Out" are the blocks given out or handed to the front. */
struct slab_page {
    void *free_list; /* released blocks, last in, first out, linked by their first word */
    unsigned char
        *run_end; /* the next block of the run of released ones, unless the front has it */
    struct slab_page *next, *previous; /* in a list; the empty one has no previous. Of the current
                                          page: its front's spare pages */
    struct node_front *owner;
    uint16_t countdown; /* releases until half, then until all, are back */
    uint16_t capacity;  /* blocks of the page; of a spare page: the spare pages from it on */
    uint8_t state;      /* enum page_state */
    bool half_back;     /* the countdown is in its second half */
};

#define PAGE_HEADER ((sizeof(struct slab_page) + 15) & ~(size_t)15) /* blocks are aligned to 16 */

/* What own and own_count of a front hold. */
enum { FRONT_CURRENT, FRONT_RUN, FRONT_USED, FRONT_HALF };
enum { FRONT_PAGES, FRONT_HALVES }; /* pages in all; half pages */

/* The start of every chunk; its pages begin at the next page boundary. */
struct slab_chunk {
    struct slab_chunk *next;
    uint32_t bytes;
    uint32_t opened; /* pages used since the last reset; later ones are free */
};

/* The smallest chunk: one page, wherever malloc puts it, because the start and a block's alignment
 * are 16 bytes. */
#define CHUNK_MIN (2 * PAGE_BYTES)
_Static_assert(sizeof(struct slab_chunk) <= 16, "the start of the least chunk leaves a page");

/* Changed under the lock, except for the fronts of lists and threads. One struct: the state of an
 * instance is one. */
struct slab {
    struct node_allocator base;
    size_t chunk_bytes;   /* of a chunk while less than LARGE_SLAB is held */
    size_t largest_bytes; /* no chunk is larger: the last size that worked after a refusal */
    size_t refused_bytes; /* the largest size that was refused; 0: none */
    bool huge;            /* every chunk is mapped; else the source's */
    bool huge_if_large;   /* ask for huge pages from LARGE_SLAB on */
    bool watched;         /* by Memcheck or AddressSanitizer */
    const char *note;
    struct slab_chunk *chunks;  /* the oldest first */
    struct slab_chunk *newest;  /* the last chunk; meaningless without chunks */
    struct slab_chunk *opening; /* has the next page to open; NULL: none is left */
    struct slab_page *empty;
    uint64_t held_bytes;
    uint64_t held_bytes_max;
    uint64_t large_live;  /* blocks above SIZE_CLASS_MAX, straight from the source */
    uint64_t shared_live; /* blocks that allocate gave and that are not back */
    uint64_t list_pages;  /* pages of the fronts of lists */
    struct node_front shared[SIZE_CLASS_COUNT];
    struct magazine_depot depot; /* of the threads' fronts; holds no chain but in a trim */
    _Alignas(64) struct node_front threads[THREAD_NUMBERS]; /* of allocate and release for blocks of
                                                               the least size, with threads; what
                                                               they keep is alive to the pages */
    PW_DEBUG_ONLY(uint64_t steps;)
};

static inline bool slab_is_shared(const struct slab *slab, const struct node_front *front)
{
    return (uintptr_t)front - (uintptr_t)slab->shared < sizeof(slab->shared);
}

static inline struct slab_page *slab_page_of(const void *block)
{
    return (struct slab_page *)((uintptr_t)block & ~(uintptr_t)(PAGE_BYTES - 1));
}

/* Blocks of a page not released since it was opened. The header does not know the front's run. */
static inline size_t slab_page_out(const struct slab_page *page)
{
    return page->countdown + (page->half_back ? 0u : page->capacity / 2u);
}

unsigned char *slab_first_block(const struct slab_page *page);
struct slab_page *slab_chunk_page(const struct slab_chunk *chunk, size_t index);
void slab_hold(struct slab *slab, size_t bytes);

/* Blocks of a page that its users have: given out and not given back. */
size_t slab_page_live(const struct slab_page *page);

/* A block for a front that has none to carve and none on its free list; NULL: no memory. */
void *slab_refill(struct slab *slab, struct node_front *front);

/* Take back a block of the front's own pages. */
void slab_give(struct slab *slab, struct node_front *front, void *block);

/* All pages of a front become empty. Under the lock. */
void slab_leave_pages(struct slab *slab, struct node_front *front);

/* No block is alive and no list has a page: every page is free again, in address order. */
void slab_reset(struct slab *slab);

/* Give the chunks without a used page back. */
void slab_trim_chunks(struct slab *slab);
