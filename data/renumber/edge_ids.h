/*
 * edge_ids.h - the set of the ids that the edges in some writers name.
 *
 * 1. Where a bit per id up to the largest takes at most 2 bytes per edge, the bits are set from the
 *    records, one bucket of sources after the other.
 * 2. Else the low halves of the targets are sorted by their high halves, which takes 2 bytes per
 *    edge for the time. For one bucket after the other, its sources and the targets of its range
 *    are marked in a bitmap, from which the lists are read.
 * Cost: the set and 2 bytes per edge; 3 MiB per thread for the bitmap and the sort.
 */
#pragma once

#include "data/graph/edge_buckets.h"
#include "id_set.h"

/*
 * Make the set with a thread per writer, whose segments are closed. limit: one past the largest id,
 * not 0. False when out of memory, the set empty.
 */
bool edge_ids_collect(const struct edge_writer *writers, unsigned writer_count, uint64_t limit,
                      struct id_set *set);
