/*
 * block_store.h - the blocks of a recorded program, in one region at a fixed address.
 *
 * A released block goes onto the list of its class (block_classes.h), and the block released last
 * is reused first. Nothing is ever given back. A process has one store. Thread safety is the
 * caller's.
 */
#pragma once

#include "block_classes.h"
#include "program_format.h"

struct block_class {
    void **free;      /* the first word of each leads to the next */
    char *next, *end; /* never used blocks of the current page */
};

struct block_store {
    struct block_class classes[BLOCK_CLASSES];
    uint64_t pages;  /* in use, with page 0, which is left out */
    uint64_t mapped; /* no page from this one on is */
};

extern struct block_store store;

/* The class of each page, plus 1; 0: no block begins in it. */
static uint8_t *const page_classes = (uint8_t *)PROGRAM_PAGES;

/* The mapped pages of each block of several pages, at its first one. */
static uint32_t *const page_extents = (uint32_t *)(PROGRAM_PAGES + BLOCK_PAGES_MAX);

#define PAGES_BYTES (BLOCK_PAGES_MAX * (1 + sizeof(*page_extents))) /* of both tables */

static inline uint64_t page_of(const void *block)
{
    return ((uint64_t)(uintptr_t)block - PROGRAM_BLOCKS) / BLOCK_PAGE_BYTES;
}

static inline bool is_stored(const void *block)
{
    return page_of(block) < BLOCK_PAGES_MAX;
}

static inline uint64_t number_of(const void *block)
{
    return block == NULL ? 0 : ((uint64_t)(uintptr_t)block - PROGRAM_BLOCKS) / BLOCK_UNIT;
}

static inline void *block_of(uint64_t number)
{
    return number == 0 ? NULL : (void *)(uintptr_t)(PROGRAM_BLOCKS + number * BLOCK_UNIT);
}

/* The usable bytes of a stored block. */
static inline size_t stored_bytes(const void *block)
{
    const uint64_t page = page_of(block);
    const unsigned class = page_classes[page];
    return class == 0                                   ? 0
           : class_bytes(class - 1) <= BLOCK_PAGE_BYTES ? class_bytes(class - 1)
                                                        : page_extents[page] * BLOCK_PAGE_BYTES;
}

/* The bytes that a stored block may grow to in its place. */
static inline size_t stored_room(const void *block)
{
    const unsigned class = page_classes[page_of(block)];
    return class == 0 ? 0 : class_bytes(class - 1);
}

/* Map the pages of a recording, which both tables describe; later blocks come after them. */
bool map_recorded(uint64_t pages);

/* A block that may grow to room bytes, with size bytes (at least 1). NULL: there is no memory.
 * *is_fresh: it was never used, so it is all zeros. */
void *store_take(size_t room, size_t size, bool *is_fresh);

/* Let a block have size bytes, at most its room. False: there is no memory. */
bool store_extend(void *block, size_t size);

/* Copy the first size bytes of a block, or all if it is smaller, to another block. Of large ones
 * the pages move, as in glibc; the old block's content is then lost. */
void store_move(void *to, void *from, size_t size);

/* A block that does not begin in a page of blocks is left alone: it is the program's mistake. */
void store_give(void *block);
