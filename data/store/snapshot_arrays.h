/*
 * snapshot_arrays.h - the arrays of a graph that are sections of its snapshot.
 */
#pragma once

#include "data/graph/graph.h"
#include "snapshot_layout.h"

struct snapshot_array {
    const void *items;
    uint64_t length; /* bytes; 0: missing */
};

/* The arrays of a graph, in the order of the sections. */
void snapshot_list_arrays(const struct graph *graph, struct snapshot_array arrays[SECTION_COUNT]);
