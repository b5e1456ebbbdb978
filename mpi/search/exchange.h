/*
 * exchange.h - sends node ids to their owners, in rounds of bounded memory, and counts the bytes on
 * the wire.
 *
 * A round works as in mpi_round.h. Each rank may send exchange_room(ranks) ids per round, so that
 * no rank receives more than EXCHANGE_IDS (of more than 1,024 ranks: EXCHANGE_LEAST of each), and
 * no count exceeds an int.
 */
#pragma once

#include "level_costs.h"
#include "mpi/graph/mpi_round.h"

#define EXCHANGE_IDS                                                                               \
    ((size_t)4 << 20) /* received by a rank per round, at most, up to 1,024 ranks */
#define EXCHANGE_MOST  ((size_t)1 << 18) /* sent by a rank per round, at most */
#define EXCHANGE_LEAST ((size_t)1 << 12) /* a rank may always send this number */

struct exchange {
    const struct mpi_graph *graph;
    struct mpi_round round;
    int ranks, rank;
    size_t room; /* ids that may be sent per round */
    uint32_t *send, *receive;
    /* For the current level: adds up what this rank sends to others, without sums and numbers of
     * ids (some 16 bytes per rank). */
    struct level_cost *cost;
};

/* The least of each id over all ranks; GRAPH_NODE_NONE is more than any. ids: count of them, at
 * most LEAST_MAX; replaced. */
#define LEAST_MAX 128
void exchange_least(MPI_Comm comm, uint32_t *ids, size_t count);

/* How many ids a rank may send in a round. */
size_t exchange_room(int ranks);

/* Make room for rounds of ids; lanes: per rank. False when out of memory; not collective. An
 * all-zero struct may be closed. */
bool exchange_open(struct exchange *exchange, const struct mpi_graph *graph, size_t lanes);
void exchange_close(struct exchange *exchange);

/* Put an id into a round of exchange->round (mpi_round.h). A rank's own ids are not sent. */
static inline void exchange_put(struct exchange *exchange, int owner, size_t lane, uint32_t id)
{
    const size_t place = mpi_round_put(&exchange->round, owner, lane);
    pw_assert(place < exchange->room);
    exchange->send[place] = id;
}

/* Run the round. more: this rank has more for another one. Returns true if any rank has. */
bool exchange_run(struct exchange *exchange, bool more);

/* Where the ids from a rank begin, lane after lane. */
static inline const uint32_t *exchange_received(const struct exchange *exchange, int rank)
{
    return exchange->receive + exchange->round.receive_starts[rank];
}
