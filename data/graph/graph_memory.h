/*
 * graph_memory.h - memory for large arrays, and how much of it there is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allow or forbid huge pages for mappings made from now on. At the start of a process, allowed. */
void memory_use_huge_pages(bool on);

/*
 * Map that many zeroed bytes. They are in huge pages if huge is set, if these are allowed, and if
 * the size is at least one of them. NULL when length is 0 or the system has no room.
 */
void *memory_map(size_t length, bool huge);

/*
 * Move the pages of a mapping to a place in another mapping, whose pages there are dropped. Nothing
 * is copied or cleared if both are equally aligned. If the system has no room for its tables,
 * returns false, and the place is gone.
 */
bool memory_move(void *base, size_t length, void *to);

/* Give a mapping back; NULL is fine. */
void memory_unmap(void *base, size_t length);

/* What a graph may take at most. On 32 bits it is 1 GiB: a process has addresses for some three,
 * and no product of a count and a size overflows. On 64 bits it is more than there is. */
#define MEMORY_MAX ((uint64_t)SIZE_MAX / 4)

/* The bytes available now: free memory, or less if a control group allows less. At most
 * MEMORY_MAX. */
uint64_t memory_available(void);

/* "1.5 GiB" for a message. Returns text. */
const char *memory_text(char text[32], uint64_t bytes);
