/*
 * lanes.h - searches of up to 64 pairs at once over one shared frontier, by all ranks together.
 *
 * 1. A search is a lane: one bit of a 64-bit word per own node, of those seen and of those reached.
 *    One look at a node's neighbours serves all searches that are there.
 * 2. A level is top down. Words for nodes of other ranks are merged, and go to the owners as an id
 *    and a word, 12 bytes (16 in bfs-mpi64). An id is sent at most once per level, and a lane of it
 *    at most once per search, while LANES_REMOTE ids have room at a rank; then they are forgotten.
 * 3. A lane ends when its target is reached, or when it reached nothing in a level.
 * Counts are those of all lanes together, as shares: a node that several lanes reach is one. They
 * are the same for every number of ranks.
 * Memory per rank: 32 bytes per own node (40 in bfs-mpi64), and at most 96 MiB.
 * Source: Then et al., "The More the Merrier", VLDB 2015; see bfs/engines/multi_source.c.
 */
#pragma once

#include "flight.h"

#define LANES_REMOTE ((size_t)1 << 20)

struct lanes;

/* A workspace. NULL everywhere when a rank is out of memory. Collective, as everything here. */
struct lanes *lanes_create(const struct mpi_graph *graph);
void lanes_destroy(struct lanes *lanes);

/*
 * Search for at most FLIGHT_LANES pairs of nodes of the graph. The limits are those of all of them
 * together. costs: what the levels cost, this rank's part. results: the same at all ranks but for
 * the time; counts and time are even shares.
 */
void lanes_search(struct lanes *lanes, const struct mpi_pair *pairs, size_t count,
                  const struct search_limits *limits, struct level_costs *costs,
                  struct search_result *results);
