/*
 * load_loop.h - reads a Matrix Market file into adjacency lists by a loop written by hand: this
 * tree's reader if it trusted the file.
 *
 * 1. Each thread maps its share of the text and reads a number with three multiplications. If the
 *    target's text equals the line before, it is not read again.
 * 2. Entries are dropped into buckets of 2^14 sources, each in separate address space; the system
 *    supplies only the pages that are touched.
 * 3. A bucket's entries are counted and placed while its lists fit the cache, in the file's order.
 * 4. In a file sorted by target the sources, as they come, are the reverse adjacency.
 * Checked are only its assumptions: one space, one line feed, ids in range, sorted for the reverse.
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
 * Read a file with 1 to LOAD_LOOP_THREADS threads. Returns NULL, or the error. The graph must be
 * zeroed before, and freed with load_loop_free in any case.
 */
const char *load_loop_read(const char *path, unsigned threads, bool reverse,
                           struct load_loop_graph *graph);
void load_loop_free(struct load_loop_graph *graph);
