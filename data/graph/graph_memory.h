/*
 * graph_memory.h - memory for the large arrays of a graph, and how much of it there is.
 */
#ifndef PW_GRAPH_MEMORY_H
#define PW_GRAPH_MEMORY_H

#include "graph.h"

#define GRAPH_MAPPING_MAX 16

/* The arrays of a graph; without a storage they are from malloc. */
struct graph_storage {
    size_t mapping_count;
    struct {
        void *base;
        size_t length;
    } mappings[GRAPH_MAPPING_MAX];
};

/* The storage of a graph, made when it has none yet and no arrays; NULL when out of memory. */
struct graph_storage *graph_storage_get(struct graph *graph);

/*
 * Zeroed memory for count items of size bytes, in huge pages where the system has them, given back
 * by graph_free. NULL when there is none or the size overflows. count 0 gives a valid pointer.
 */
void *graph_storage_map(struct graph *graph, uint64_t count, size_t size);

/* Whether what is mapped from now on may ask for huge pages; it may to begin with. */
void memory_use_huge_pages(bool on);

/* Anonymous zeroed memory, page-aligned; huge: ask for huge pages. NULL when there is none. */
void *memory_map(size_t length, bool huge);
void memory_unmap(void *base, size_t length);

/* Bytes that can be taken now: available memory, less where a control group allows less. */
uint64_t memory_available(void);

/* "1.5 GiB" for a message. Returns text. */
const char *memory_text(char text[32], uint64_t bytes);

#endif
