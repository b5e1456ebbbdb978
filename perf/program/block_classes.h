/*
 * block_classes.h - how a recording places blocks: size classes, and pages that serve one each.
 *
 * 1. Sizes are rounded up: to 16 bytes below 128, to an eighth of a power of two below 16 KiB, to a
 *    power of two above. Of a block of several pages only those are mapped that were asked for, so
 *    that no limit or lock of the system is about more.
 * 2. A page of 64 KiB serves one class for good. So a block needs no header: the class of its page
 *    says how large it is, in a recording and in a replay of it.
 * 3. A large block that realloc moves gets a place of eight times its size, so that it seldom moves
 *    again.
 * 4. A block of a power of two is aligned to its size. One block takes a quarter of the places at
 *    most.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define BLOCK_UNIT        16
#define BLOCK_PAGE_BYTES  ((size_t)65536)
#define BLOCK_PAGES_MAX   ((size_t)524288) /* 32 GiB */
#define SMALL_CLASSES     64               /* up to 16 KiB */
#define BLOCK_CLASSES     (SMALL_CLASSES + 20)
#define LARGE_CLASS_SHIFT 15                  /* the first large one: 32 KiB */
#define HUGE_FROM_CLASS   (SMALL_CLASSES + 6) /* 2 MiB: may be backed by huge pages */
#define BLOCK_BYTES_MAX   (BLOCK_PAGES_MAX / 4 * BLOCK_PAGE_BYTES)

/* The class of a size from 1 to BLOCK_BYTES_MAX. */
static inline unsigned class_of_size(size_t size)
{
    const uint64_t last = size - 1;
    const unsigned top = 63 - (unsigned)__builtin_clzll(last | 1);
    if (last < 128) {
        return (unsigned)(last >> 4);
    }
    if (last < 16384) {
        return (top - 7) * 8 + (unsigned)(last >> (top - 3));
    }
    return SMALL_CLASSES + top - (LARGE_CLASS_SHIFT - 1);
}

static inline size_t class_bytes(unsigned class)
{
    if (class < 8) {
        return (class + 1) * (size_t)BLOCK_UNIT;
    }
    if (class < SMALL_CLASSES) {
        return (size_t)(class % 8 + 9) << (class / 8 + 3);
    }
    return (size_t)1 << (class - SMALL_CLASSES + LARGE_CLASS_SHIFT);
}

/* The pages of a block of a class, at least 1. */
static inline uint64_t class_pages(unsigned class)
{
    const size_t bytes = class_bytes(class);
    return bytes > BLOCK_PAGE_BYTES ? bytes / BLOCK_PAGE_BYTES : 1;
}

/* The pages of a block of a class that hold size bytes. */
static inline uint32_t pages_of_size(unsigned class, size_t size)
{
    const uint64_t wanted = (size + BLOCK_PAGE_BYTES - 1) / BLOCK_PAGE_BYTES;
    return (uint32_t)(wanted < class_pages(class) ? wanted : class_pages(class));
}

/* The size that a block is rounded up to when realloc moves it: a large one gets room to grow, and
 * only what is touched of that takes memory. */
static inline size_t moved_size(size_t size)
{
    return size > 32768 && size <= ((size_t)1 << 27) ? 8 * size : size;
}

/* The size that a request with an alignment (a power of two) is rounded up to. */
static inline size_t aligned_size(size_t alignment, size_t size)
{
    const size_t wanted = size > alignment ? size : alignment;
    return alignment <= BLOCK_UNIT || wanted > BLOCK_BYTES_MAX
               ? size
               : (size_t)1 << (64 - (unsigned)__builtin_clzll(wanted - 1));
}
