/*
 * edge_ids.h - the set of ids that occur in the edges of some writers.
 *
 * 1. If a bit per id up to the largest takes at most 2 bytes per edge, the bits are set from the
 *    records, one bucket of sources after the other.
 * 2. Else the low halves of the targets are sorted by their high halves, which takes 2 bytes per
 *    edge for a while. Bucket by bucket, the sources and the targets in its range are marked in a
 *    bitmap, and the lists are read from it.
 * Cost: the set and 2 bytes per edge; 3 MiB per thread for the bitmap and the sort.
 */
#pragma once

#include "edge_buckets.h"
#include "id_set.h"
#include <signal.h>

/*
 * Make the set with one thread per writer; their segments must be closed. limit: one past the
 * largest id, not 0. When out of memory, or once *cancel is not zero: false, and the set is empty.
 * cancel: NULL, or it is looked at for each bucket.
 */
bool edge_ids_collect(const struct edge_writer *writers, unsigned writer_count, uint64_t limit,
                      const volatile sig_atomic_t *cancel, struct id_set *set);
