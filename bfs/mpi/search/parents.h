/*
 * parents.h - own nodes that are not reached look for an in-neighbour in the frontier: a level
 * bottom up, or a part of it.
 *
 * The candidates of some words look in step, each at its next in-neighbour, without a branch to
 * predict; the few that still have none after some looks finish their lists one by one.
 */
#pragma once

#include "bfs/mpi/graph/mpi_graph.h"

/* What such a level reads and writes. Words are those of own nodes, unless it says otherwise. */
struct parents {
    const struct mpi_rows *in;
    const uint64_t *candidates;
    const uint64_t *seen; /* word i stands at i * stride */
    size_t stride;
    const uint64_t *frontier; /* of all nodes */
    uint64_t *reached;
};

/* Fill in some words of reached. Returns the entries of adjacency lists looked at. */
uint64_t parents_look(const struct parents *parents, size_t word, size_t end);

/* The first of some in-neighbours that is in the frontier, or their end. */
static inline const mpi_node *parents_find(const mpi_node *next, const mpi_node *end,
                                           const uint64_t *frontier)
{
    while (next < end && !mpi_bit_test(frontier, *next)) {
        next++;
    }
    return next;
}
