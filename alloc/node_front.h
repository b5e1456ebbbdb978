/*
 * node_front.h - takes and gives a block without a call: the inline half of an allocator.
 *
 * 1. A taker pops the front's own free list; if that is empty it carves the next block, in address
 *    order, from the range carve..carve_end; if that is empty too it calls the allocator.
 * 2. A giver counts the block's page down; when the count reaches zero it calls the allocator's
 *    page_done. A block that follows the one given back before it, as the blocks of a FIFO list do,
 *    only moves the end of the page's run: its memory, which nobody will read again, stays clean.
 *    Any other block is pushed on the page's free list.
 * 3. The page of a block is (address & page_mask) | page_base. A slab keeps a header at the start
 *    of each aligned page (page_base 0); a pool has one page for all, the front's own, and a
 *    page_mask of 0.
 *
 * Cost: two loads and a store to take; three loads and two or three stores to give. An allocator
 * has no front under Valgrind or AddressSanitizer, where every block must be marked.
 */
#ifndef PW_NODE_FRONT_H
#define PW_NODE_FRONT_H

#include "node_allocator.h"

#define NODE_FRONT_AHEAD 512 /* bytes ahead of the carved block to fetch: they may be cold */

struct node_page {
    void *free_list;        /* released blocks, last in, first out, linked by their first word */
    unsigned char *run_end; /* the next block of the run of released ones; NULL: none */
    size_t countdown;       /* releases until the allocator must be called */
};

struct node_front {
    struct node_page own;
    unsigned char *carve; /* the next block not given out since its page was opened */
    unsigned char *carve_end;
    size_t block_bytes; /* distance between two carved blocks */
    uintptr_t page_mask;
    uintptr_t page_base;
};

/* A block, or NULL when the allocator must be asked. */
static inline void *node_front_take(struct node_front *front)
{
    void *block = front->own.free_list;
    if (block != NULL) {
        front->own.free_list = *(void **)block;
        return block;
    }
    unsigned char *carved = front->carve;
    if (carved != front->carve_end) {
        __builtin_prefetch(carved + NODE_FRONT_AHEAD, 1);
        front->carve = carved + front->block_bytes;
        return carved;
    }
    return NULL;
}

static inline struct node_page *node_front_page(const struct node_front *front, void *block)
{
    return (struct node_page *)(((uintptr_t)block & front->page_mask) | front->page_base);
}

/* Give a block back. Returns the page to pass to page_done, nearly always NULL. */
static inline struct node_page *node_front_give(struct node_front *front, void *block)
{
    struct node_page *page = node_front_page(front, block);
    if ((unsigned char *)block == page->run_end) {
        page->run_end += front->block_bytes;
    } else {
        *(void **)block = page->free_list;
        page->free_list = block;
    }
    return --page->countdown == 0 ? page : NULL;
}

/*
 * How many blocks of a chain, linked by their first words, one call of node_front_give_run can take
 * back: they must lie side by side and continue the run of their page. 0: not even the first.
 * stride: the front's block_bytes, which the caller may know as a constant.
 */
static inline size_t node_front_run(const struct node_front *front, void *first, size_t count,
                                    size_t stride)
{
    const struct node_page *page = node_front_page(front, first);
    if ((unsigned char *)first != page->run_end) {
        return 0;
    }
    const size_t limit = count < page->countdown ? count : page->countdown;
    unsigned char *block = (unsigned char *)first;
    unsigned char *const last = block + (limit - 1) * stride;
    while (block != last && *(unsigned char **)block == block + stride) {
        block += stride;
    }
    return (size_t)(block - (unsigned char *)first) / stride + 1;
}

/* Give such a run back: the same as each block by itself. Returns as node_front_give. */
static inline struct node_page *node_front_give_run(struct node_front *front, void *first,
                                                    size_t run)
{
    struct node_page *page = node_front_page(front, first);
    page->run_end += run * front->block_bytes;
    page->countdown -= run;
    return page->countdown == 0 ? page : NULL;
}

#endif
