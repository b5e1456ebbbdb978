/*
 * load_loop.h - a Matrix Market file into adjacency lists by a loop written by hand: what this
 * tree's reader could be if it trusted the file.
 *
 * 1. Each thread maps its share of the text and reads a number with three multiplications. Where
 *    the target's text is that of the line before, it is not read again.
 * 2. Entries are dropped into buckets of 2^14 sources, each in address space of its own, of which
 *    the system hands over only what is touched.
 * 3. A bucket's entries are counted and placed while its lists fit the cache, in the file's order.
 * 4. In a file sorted by target the sources, as they come, are the reverse adjacency.
 * Only what is asserted is checked: one space, one line feed, ids in range, sorted for the reverse.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOAD_LOOP_THREADS 16

struct load_loop_graph {
    uint32_t node_limit; /* ids count from 1 */
    uint64_t edge_count;
    uint64_t *offsets, *in_offsets; /* node_limit + 1 */
    uint32_t *neighbours, *in_neighbours;
    size_t in_bytes; /* mapped for in_neighbours */
};

/*
 * Read a file with 1 to LOAD_LOOP_THREADS threads. Returns NULL, or what is wrong. The graph is
 * freed with load_loop_free in any case; zeroed before.
 */
const char *load_loop_read(const char *path, unsigned threads, bool reverse,
                           struct load_loop_graph *graph);
void load_loop_free(struct load_loop_graph *graph);
