/*
 * snapshot_ahead.h - the neighbours of a graph, written to its snapshot as they come.
 *
 * Only how many nodes there are must be known. What comes first goes first, so that no memory needs
 * to hold all of them; in the end they are mapped from the file.
 */
#pragma once

#include "data/graph/graph.h"
#include "snapshot_parts.h"

struct snapshot_ahead {
    int fd;         /* open for reading and writing, the caller's; -1: nothing can be added */
    uint64_t begin; /* of the neighbours in the file, in bytes */
    uint64_t count; /* of those that are there */
    struct snapshot_sum sum;
};

/* Begin, or begin again, in the file that is set: a snapshot of that many nodes. False with errno
 * set. */
bool snapshot_ahead_start(struct snapshot_ahead *ahead, uint32_t node_limit);

/* Write neighbours behind those that are there. False with errno set. */
bool snapshot_ahead_add(struct snapshot_ahead *ahead, const uint32_t *neighbours, uint64_t count);

/* Let a graph have all of them, which its mapping keeps when the file is closed. edge_count is set,
 * too. False with errno set. */
bool snapshot_ahead_map(const struct snapshot_ahead *ahead, struct graph *graph);
