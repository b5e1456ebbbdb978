/*
 * snapshot_blocks.h - a snapshot by block: a question reads and checks only what it needs.
 *
 * 1. The file ends with a checksum of each block of 4 KiB (snapshot_layout.h).
 * 2. The graph gets a stretch of empty memory. A block is read into a buffer, checked, and copied
 *    to its place: no unchecked byte is ever there, and a file cut short is an error, no signal.
 * 3. After BLOCKS_COPIED_MAX blocks, or if there is no room for the stretch, the file is mapped in
 *    its place, and blocks are checked there: the system can take pages back, so that a graph may
 *    be larger than memory.
 * Discarded: to map the file from the start, because Linux 6.18 maps the whole folio of each page:
 * of 417 MB, 250 were resident after one question; blocks of 16 KiB: four times as much to check.
 * Cost: 0.2 % of the file; some 2 us per block that is used.
 */
#pragma once

#include "data/graph/graph.h"
#include "snapshot_layout.h"

/*
 * Open the blocks of a file: give the graph a stretch of memory for it, and blocks. Checks the
 * checksums' own checksum. fd: is closed with the graph, or now if this fails. Returns the stretch;
 * NULL with error set.
 */
char *snapshot_blocks_open(int fd, const struct header *header, const char *path, unsigned threads,
                           struct graph *graph, struct graph_error *error);

/* Read and check the ends of the arrays whose last entry is the length of another array. False if
 * one is bad. */
bool snapshot_blocks_read_ends(struct graph *graph);

/* The arrays of the graph are placed: from now on the content of the lists is checked, too. */
void snapshot_blocks_placed(struct graph *graph);
