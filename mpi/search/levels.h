/*
 * levels.h - breadth-first search from one node, level by level, by all ranks together.
 *
 * 1. A sparse frontier is expanded top down. Each rank sends the neighbours of its own nodes to
 *    their owners, by id, each at most once per search: a bit per node of the graph records it.
 * 2. A dense frontier goes bottom up: it is gathered as a bitmap, in which unreached own nodes look
 *    for an in-neighbour. Or, if that costs more, all neighbours are marked in a bitmap, and each
 *    owner gets its part. Either way n / 8 bytes per rank.
 * 3. All ranks take the cheaper way by the estimate of bfs/search/direction.h.
 * 4. The target cuts a level short: bottom up its owner looks first and informs all; top down the
 *    rank that reaches it stops.
 * 5. Threads within a rank divide the own nodes. Only the calling thread uses MPI.
 * A node without out-edges is not followed unless it is the target, as in the engines of bfs.
 * Memory per rank: three bitmaps of n / 8 bytes (four if dealt), two while MPI joins bitmaps, and 4
 * per own node. Source: Beamer, Asanovic & Patterson, SC 2012; Buluc & Madduri, SC 2011.
 */
#pragma once

#include "bfs/search/search_limits.h"
#include "level_costs.h"
#include "node_bits.h"

/* The status of a search: for each reason to stop, the number of ranks that have it. */
static inline enum search_status search_status_of(uint64_t no_memory, uint64_t cancelled,
                                                  uint64_t timed_out)
{
    return no_memory > 0   ? SEARCH_NO_MEMORY
           : cancelled > 0 ? SEARCH_CANCELLED
           : timed_out > 0 ? SEARCH_TIMED_OUT
                           : SEARCH_DONE;
}

struct levels;

/*
 * A workspace. threads: of each rank, at least 1. NULL everywhere when a rank is out of memory.
 * Collective, as everything here.
 */
struct levels *levels_create(const struct mpi_graph *graph, unsigned threads);
void levels_destroy(struct levels *levels);

/*
 * Search from source until target is met. Both must be nodes of the graph. result is the same at
 * all ranks but for elapsed_ns; the deadline and cancel of any rank end the search of all. costs:
 * of the levels, this rank's part.
 */
void levels_search(struct levels *levels, uint32_t source, uint32_t target,
                   const struct search_limits *limits, struct level_costs *costs,
                   struct search_result *result);

/*
 * Write the path of the last search to nodes, which has room for hops + 1 ids. It is the same at
 * all ranks and for every number of ranks: from the target on, each node's predecessor is the least
 * possible one.
 */
void levels_path(const struct levels *levels, uint32_t *nodes);

/* The least own node with an edge to another, in ids, or GRAPH_NODE_NONE. own: local numbers. rows:
 * `out`, or `in` for an edge from the other. Not collective. */
uint32_t levels_least(const struct mpi_graph *graph, const struct mpi_rows *rows,
                      const uint32_t *own, size_t count, uint32_t other);
