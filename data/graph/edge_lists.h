/*
 * edge_lists.h - the second of two passes that sort edges: buckets become adjacency lists.
 *
 * 1. Each bucket's records are read twice: the degrees are counted and summed, then the targets are
 *    put in place, in the order of the segments. The lists of one bucket fit the cache.
 * 2. The memory of its records then holds the lists of later buckets, so that the kernel clears
 *    fewer pages; the memory of longer records goes back to the system.
 * Cost of both passes: at most record_bytes + 4 bytes per edge, and 8 per node; 6 and 8 for large
 * graphs whose records take five bytes.
 */
#pragma once

#include "edge_buckets.h"
#include "id_rank.h"
#include <signal.h>

/* The adjacency lists to fill: row u lists the targets of source u. */
struct edge_rows {
    uint64_t edge_count;
    uint64_t row_limit;                  /* rows, numbered from 0 */
    uint64_t *offsets;                   /* row_limit + 1, zeroed */
    uint32_t *neighbours;                /* edge_count */
    bool is_mapped;                      /* neighbours is a mapping of its own, not yet touched */
    const volatile sig_atomic_t *cancel; /* not zero: give up; or NULL */
};

/*
 * Fill rows from the writers' edges with writer_count threads. This destroys the records. ids:
 * NULL, or a ranked set that renumbers sources and targets. Returns false when out of memory
 * or cancelled.
 */
bool edge_writers_build(struct edge_writer *writers, unsigned writer_count,
                        const struct edge_segment *segments, size_t segment_count,
                        const struct id_set *ids, const struct edge_rows *rows);
