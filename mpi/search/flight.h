/*
 * flight.h - bidirectional searches of up to 64 pairs at once, with all ranks together.
 *
 * 1. In every round each pair goes one level on, at the end whose level has fewer edges to follow:
 *    forwards from its source, or backwards from its target over the in-adjacency.
 * 2. One all-to-all carries the ids of all pairs, grouped by pair: 4 bytes per id. So the latency
 *    of a round is shared. An id may come several times; its owner notices.
 * 3. The first edge that joins the two ends is on a shortest path. Rounds are finished, so that the
 *    node where the ends meet (the least) is the same for every number of ranks.
 * 4. One word per own node and end says which pairs have reached it.
 * Memory per rank: 16 bytes per own node, 4 per own node that a pair has reached, and 18 MiB.
 * Tried: a table of the ids sent already. It saved a fifth to a third of the bytes, and took more
 * time than it saved: 2,000 pairs took 1.1 to 1.8 times as long on two ranks.
 * Source: Pohl, 1971; see bfs/engines/bidirectional.c.
 */
#pragma once

#include "data/read/pairs.h"
#include "levels.h"

#define FLIGHT_LANES 64

struct flight;

/* Make a workspace. NULL everywhere if a rank is out of memory. Collective, as all functions
 * here. */
struct flight *flight_create(const struct mpi_graph *graph);
void flight_destroy(struct flight *flight);

/*
 * Search for at most FLIGHT_LANES pairs of nodes of the graph. The limits apply to all of them
 * together. costs: of the rounds, this rank's part. results: the same at all ranks but for the
 * time; each pair has an even share of the time.
 */
void flight_search(struct flight *flight, const struct pair *pairs, size_t count,
                   const struct search_limits *limits, struct level_costs *costs,
                   struct search_result *results);

/*
 * The paths of the last search: paths[i] has room for results[i].hops + 1 ids, or is NULL. They are
 * the same at all ranks and for every number of ranks: through the least node in which the ends
 * meet, and from there on the least possible nodes, both ways.
 */
void flight_paths(const struct flight *flight, uint32_t *const *paths);
