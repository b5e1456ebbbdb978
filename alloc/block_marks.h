/*
 * block_marks.h - declares to Memcheck and AddressSanitizer which blocks are alive.
 *
 * An allocator that keeps blocks marks each one when it is given out and when it comes back, so
 * that a use after release or an overrun is reported although the memory never went back to malloc.
 * When nobody is watching (the usual case), blocks_are_watched() is false and nothing is marked;
 * under a checker, fronts are closed. Blocks that lie side by side need a gap to catch an overrun:
 * block_gap() is the number of bytes to leave after each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define PW_WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PW_WITH_ASAN 1
#endif
#endif

#ifdef PW_WITH_ASAN
#include <sanitizer/asan_interface.h>
#define MARK_LIVE(block, size) ASAN_UNPOISON_MEMORY_REGION(block, size)
#define MARK_OWN(block, size)  ASAN_UNPOISON_MEMORY_REGION(block, size)
#define MARK_DEAD(block, size) ASAN_POISON_MEMORY_REGION(block, size)
#elif __has_include(<valgrind/memcheck.h>)
#define PW_WITH_VALGRIND 1
#include <valgrind/memcheck.h>
#define MARK_LIVE(block, size) VALGRIND_MAKE_MEM_UNDEFINED(block, size)
#define MARK_OWN(block, size)  VALGRIND_MAKE_MEM_DEFINED(block, size)
#define MARK_DEAD(block, size) VALGRIND_MAKE_MEM_NOACCESS(block, size)
#else
#define MARK_LIVE(block, size) ((void)(block), (void)(size))
#define MARK_OWN(block, size)  ((void)(block), (void)(size))
#define MARK_DEAD(block, size) ((void)(block), (void)(size))
#endif

/* True if this process runs under a checker that wants marks. */
static inline bool blocks_are_watched(void)
{
#if defined(PW_WITH_ASAN)
    return true;
#elif defined(PW_WITH_VALGRIND)
    char byte = 0; /* only Memcheck answers; under Callgrind nothing changes */
    return VALGRIND_MAKE_MEM_DEFINED_IF_ADDRESSABLE(&byte, 1) != 0;
#else
    return false;
#endif
}

/* Bytes to leave unused after each block so that running past its end hits no other block. */
static inline size_t block_gap(void)
{
    return blocks_are_watched() ? 16 : 0;
}

/*
 * Marks, for a checker: an allocator calls blocks_are_watched once and keeps the answer.
 * The bytes belong to a caller now; their content is undefined.
 */
static inline void block_mark_live(bool watched, void *block, size_t size)
{
    if (watched) {
        MARK_LIVE(block, size);
    }
}

/* Nobody may touch the bytes; the allocator itself opens them first (block_mark_own). */
static inline void block_mark_dead(bool watched, void *block, size_t size)
{
    if (watched) {
        MARK_DEAD(block, size);
    }
}

/* The allocator reads or writes its own link in a dead block; the content is as it left it. */
static inline void block_mark_own(bool watched, void *block, size_t size)
{
    if (watched) {
        MARK_OWN(block, size);
    }
}

/* Before an allocator writes its link in a live block: it may be larger than the block. */
static inline void block_mark_room_for_link(bool watched, void *block, size_t size)
{
    if (watched && size < sizeof(void *)) {
        block_mark_live(watched, (char *)block + size, sizeof(void *) - size);
    }
}
