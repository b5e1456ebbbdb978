/*
 * snapshot_ahead.h - the neighbours of a graph, written to its snapshot as they come.
 *
 * Only the number of nodes must be known. Neighbours are written in the order in which they come,
 * so that no memory needs to hold all of them; in the end they are mapped from the file.
 */
#pragma once

#include "data/graph/graph.h"

struct snapshot_ahead {
    int fd;         /* open for reading and writing, the caller's; -1: nothing can be added */
    uint64_t begin; /* of the neighbours in the file, in bytes */
    uint64_t count; /* neighbours written so far */
};

/* Begin, or begin again, a snapshot of that many nodes in the file that is set. False with errno
 * set. */
bool snapshot_ahead_start(struct snapshot_ahead *ahead, uint32_t node_limit);

/* Append neighbours. False with errno set. */
bool snapshot_ahead_add(struct snapshot_ahead *ahead, const uint32_t *neighbours, uint64_t count);

/* Begin again and leave the content, so that neighbours that are still mapped can move up. */
void snapshot_ahead_rewind(struct snapshot_ahead *ahead);

/* End the file after the last neighbour. False with errno set. */
bool snapshot_ahead_cut(const struct snapshot_ahead *ahead);

/* Give all neighbours to a graph; its mapping keeps them when the file is closed. Sets edge_count,
 * too. False with errno set. */
bool snapshot_ahead_map(const struct snapshot_ahead *ahead, struct graph *graph);
