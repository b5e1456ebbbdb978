/*
 * level_costs.h - the costs of a search's levels (of pairs in flight: its rounds), in fixed room,
 * so that no rank ever lacks it.
 */
#pragma once

#include "mpi/graph/mpi_graph.h"

#define LEVEL_COSTS 256 /* levels kept apart; further ones are added to the last */

/* Nodes, edges, bytes and messages count this rank, until level_costs_sum. */
struct level_cost {
    uint64_t nodes;     /* of the frontier */
    uint64_t edges;     /* entries of adjacency lists examined */
    uint64_t edges_max; /* the most that a rank examined; after level_costs_sum */
    uint64_t bytes;     /* sent to other ranks */
    uint64_t bytes_max; /* the most that a rank sent; after level_costs_sum */
    uint64_t messages;
    uint64_t elapsed_ns; /* of rank 0 */
    uint64_t bottom_up;  /* 1: the frontier was gathered; more in sums of levels */
};

struct level_costs {
    size_t count; /* 0 before a search */
    struct level_cost levels[LEVEL_COSTS];
};

/* The costs of a new level, to add to: zeroed ones, or the last ones. */
struct level_cost *level_costs_next(struct level_costs *costs);

/* Replace the costs by sums and maxima over all ranks; valid at rank 0 only. Collective. */
void level_costs_sum(MPI_Comm comm, struct level_costs *costs);
