/*
 * snapshot_check.h - checks the blocks of a mapped snapshot: that they have their checksums, and
 * that nothing in them leads out of the arrays.
 */
#pragma once

#include "data/graph/graph.h"
#include "snapshot_layout.h"

/* What is checked: sections, a bit each, and the bytes that are in no section. */
#define SNAPSHOT_OTHERS (1u << SECTION_COUNT)
#define SNAPSHOT_ALL    (SNAPSHOT_OTHERS | (SNAPSHOT_OTHERS - 1))
#define SNAPSHOT_LISTS  ((1u << SECTION_ORIGINAL_IDS) - 1) /* offsets and neighbours */

#define SNAPSHOT_NO_BLOCK UINT64_MAX

struct snapshot_check {
    const struct header *header;
    const char *base;                    /* the blocks of the file */
    const uint64_t *sums;                /* their checksums, which were checked */
    unsigned kinds;                      /* what is checked */
    unsigned threads;                    /* 0: one per processor */
    const struct graph *graph;           /* with its arrays in the blocks; NULL: checksums only */
    const volatile sig_atomic_t *cancel; /* give up when it is not zero; or NULL */
};

/*
 * True if all blocks are good. Else *bad is the first whose checksum is wrong, or
 * SNAPSHOT_NO_BLOCK: the checksums are right, and an array leads out of another one, or the check
 * was given up. Cost: one pass over the blocks, by all threads.
 */
bool snapshot_check(const struct snapshot_check *check, uint64_t *bad);

/* True if a piece of an array, of length bytes from its byte begin on, cannot lead a search out of
 * the arrays. */
bool snapshot_piece_holds(const struct graph *graph, size_t kind, const void *piece, uint64_t begin,
                          uint64_t length);
