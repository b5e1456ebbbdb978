/*
 * graph_memory.h - memory for large arrays, and how much of it there is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether mappings made from now on may use huge pages. At the start of a process they may. */
void memory_use_huge_pages(bool on);

/*
 * Map that many zeroed bytes, in huge pages where huge is set, they are allowed, and the size is at
 * least one of them. NULL when length is 0 or the system has no room.
 */
void *memory_map(size_t length, bool huge);

/*
 * Move the pages of a mapping to a place in another, whose pages there are dropped. The content
 * moves along, and nothing is copied or cleared where both are aligned alike. False when the system
 * has no room for its tables, and the place is gone.
 */
bool memory_move(void *base, size_t length, void *to);

/* Give a mapping back; NULL is fine. */
void memory_unmap(void *base, size_t length);

/* Bytes that can be taken now: available memory, less where a control group allows less. */
uint64_t memory_available(void);

/* "1.5 GiB" for a message. Returns text. */
const char *memory_text(char text[32], uint64_t bytes);
