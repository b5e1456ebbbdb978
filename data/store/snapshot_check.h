/*
 * snapshot_check.h - checks the arrays of a mapped snapshot: checksums, and that nothing in them
 * leads outside.
 */
#pragma once

#include "data/graph/graph.h"
#include "snapshot_layout.h"

#define SNAPSHOT_ALL   ((1u << SECTION_COUNT) - 1)
#define SNAPSHOT_LISTS ((1u << SECTION_ORIGINAL_IDS) - 1) /* offsets and neighbours */

/* True if every array of some kinds, a bit each, has its checksum, and no offset, neighbour or name
 * leads out of them. The facts of an origin must be among them. cancel: give up, and return
 * false, when it is not zero; or NULL. */
bool snapshot_arrays_hold(const struct header *header, unsigned kinds, const char *base,
                          unsigned threads, const struct graph *graph,
                          const volatile sig_atomic_t *cancel);

/* True if a piece of an array, of length bytes from its byte begin on, cannot lead a search out of
 * the arrays. */
bool snapshot_piece_holds(const struct graph *graph, size_t kind, const void *piece, uint64_t begin,
                          uint64_t length);
