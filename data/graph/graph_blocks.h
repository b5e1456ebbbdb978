/*
 * graph_blocks.h - a graph in a snapshot that is read and checked by block, when it is used.
 *
 * 1. The file is divided into blocks of GRAPH_BLOCK_BYTES. A bit of each block says that it is
 *    there and was found good, by the function that the opener of the file has set.
 * 2. A reader of a graph by block asks graph_allows before it looks at an array. A graph without
 *    blocks is checked already, so that the question costs one comparison with NULL.
 * 3. The first bad block is kept for good, with the system's error if it could not be read. A
 *    refused reader goes on with something harmless, such as an empty list. Before an answer is
 *    given, somebody asks graph_is_damaged.
 * Any number of threads may ask at once: a block that two check at once is checked twice.
 * Cost: one bit per block; one test per list of a node that is expanded.
 */
#pragma once

#include "graph.h"
#include <stdatomic.h>

#define GRAPH_BLOCK_BYTES ((uint64_t)4 << 10)
#define GRAPH_LIST_SLACK  16 /* neighbours that may be read past an allowed list */

#define GRAPH_BLOCK_GOOD 0
#define GRAPH_BLOCK_BAD  (-1) /* its bytes are wrong */

struct graph_blocks {
    const unsigned char *base; /* of the file in memory */
    uint64_t length;           /* bytes that are divided into blocks */
    _Atomic uint64_t *good;    /* a bit per block */
    _Atomic uint64_t bad;      /* the first bad block, and why: graph_blocks_set_bad, or 0 */
    /* Check a block and set its bit. Returns GRAPH_BLOCK_GOOD, GRAPH_BLOCK_BAD, or the errno with
     * which it cannot be read. */
    int (*check)(struct graph_blocks *blocks, uint64_t block);
    /* The blocks from begin to end will be checked soon, those in memory perhaps at once. */
    void (*ask)(struct graph_blocks *blocks, uint64_t begin, uint64_t end);
    bool (*check_all)(struct graph_blocks *blocks); /* of all lists, by several threads */
    uint64_t copied_max;                            /* blocks, after which the file is mapped */
    char *path;                                     /* for the message */
};

/* Create the blocks of a file of length bytes; no block is checked yet. size: the size of the
 * struct to create, whose first member is a struct graph_blocks. NULL when out of memory. */
void *graph_blocks_create(size_t size, const unsigned char *base, uint64_t length,
                          const char *path);
void graph_blocks_free(struct graph_blocks *blocks);

/* Note that a block is good; or forget all that were. */
void graph_blocks_set_good(struct graph_blocks *blocks, uint64_t block);
void graph_blocks_forget(struct graph_blocks *blocks);

/* Note that a block is bad, if it is the first. outcome: of check. */
void graph_blocks_set_bad(struct graph_blocks *blocks, uint64_t block, int outcome);

/* Check all blocks of some bytes that were not checked. False if one is bad. */
bool graph_blocks_check(struct graph_blocks *blocks, const void *begin, uint64_t length);

/* True if these bytes of an array of the graph may be read. */
static inline bool graph_allows(const struct graph *graph, const void *begin, uint64_t length)
{
    struct graph_blocks *blocks = graph->blocks;
    if (blocks == NULL) {
        return true;
    }
    const uint64_t at = (uint64_t)((const unsigned char *)begin - blocks->base);
    const uint64_t block = at / GRAPH_BLOCK_BYTES;
    const bool is_one = length > 0 && (at + length - 1) / GRAPH_BLOCK_BYTES == block;
    return (is_one && at < blocks->length &&
            (atomic_load_explicit(&blocks->good[block / 64], memory_order_acquire) >> block % 64 &
             1)) ||
           graph_blocks_check(blocks, begin, length);
}

/* True if the two offsets of a node in one of the adjacencies may be read, and are the ends of a
 * list. offsets: of the graph, or its in-offsets. */
bool graph_allows_ends(const struct graph *graph, const uint64_t *offsets, uint32_t node);

/* True if the list of a node may be read: its two offsets, and the neighbours between them. */
bool graph_allows_list(const struct graph *graph, uint32_t node);

/* True if the lists of all these nodes may be read. The system is asked for all blocks at once,
 * before the first is read, so that a disk has many requests at a time. */
bool graph_allows_lists(const struct graph *graph, const uint32_t *nodes, size_t count);

/* True if the two offsets of every stride-th of these nodes may be read; the lists are not looked
 * at. Blocks are asked for as by graph_allows_lists. */
bool graph_allows_offsets(const struct graph *graph, const uint32_t *nodes, size_t count,
                          size_t stride);

/* True if all lists may be read, of both directions. Cost: the first time, as opening the snapshot
 * at once. */
bool graph_allows_all(const struct graph *graph);

/* Set error to what is wrong with a block of a file, and return false. */
#define GRAPH_BLOCK_WRONG "does not match its checksum"
bool graph_block_fail(struct graph_error *error, const char *path, uint64_t block, const char *why);

/* True if a bad block was met; error, which may be NULL, then names it, or says why the file could
 * not be read. */
bool graph_is_damaged(const struct graph *graph, struct graph_error *error);
