/*
 * exchange.c - see exchange.h.
 */
#include "exchange.h"
#include <stdlib.h>
#include <string.h>

/* As signed numbers: MPICH 4.0 compares unsigned ones as if they were signed. */
void exchange_least(MPI_Comm comm, uint32_t *ids, size_t count)
{
    int64_t own[LEAST_MAX] = {0}, least[LEAST_MAX];
    pw_assert(count <= LEAST_MAX);
    for (size_t i = 0; i < count; i++) {
        own[i] = ids[i] == GRAPH_NODE_NONE ? INT64_MAX : (int64_t)ids[i];
    }
    MPI_Allreduce(own, least, (int)count, MPI_INT64_T, MPI_MIN, comm);
    for (size_t i = 0; i < count; i++) {
        ids[i] = least[i] == INT64_MAX ? GRAPH_NODE_NONE : (uint32_t)least[i];
    }
}

size_t exchange_room(int ranks)
{
    const size_t share = EXCHANGE_IDS / (size_t)ranks;
    return share > EXCHANGE_MOST ? EXCHANGE_MOST : share < EXCHANGE_LEAST ? EXCHANGE_LEAST : share;
}

bool exchange_open(struct exchange *exchange, const struct mpi_graph *graph, size_t lanes)
{
    const size_t room = exchange_room(graph->partition.ranks);
    const size_t capacity = room * (size_t)graph->partition.ranks;
    *exchange = (struct exchange){.graph = graph,
                                  .ranks = graph->partition.ranks,
                                  .rank = graph->partition.rank,
                                  .room = room};
    exchange->send = malloc(room * sizeof(*exchange->send));
    exchange->receive = malloc(capacity * sizeof(*exchange->receive));
    if (exchange->send == NULL || exchange->receive == NULL ||
        !mpi_round_open(&exchange->round, graph->comm, lanes, 1, capacity)) {
        exchange_close(exchange);
        return false;
    }
    return true;
}

void exchange_close(struct exchange *exchange)
{
    mpi_round_close(&exchange->round);
    free(exchange->send);
    free(exchange->receive);
    memset(exchange, 0, sizeof(*exchange));
}

bool exchange_run(struct exchange *exchange, bool more)
{
    struct mpi_round *round = &exchange->round;
    if (exchange->ranks == 1) {
        return more; /* nothing is sent, so that all counts are 0 */
    }
    const uint32_t any = mpi_round_run(round, exchange->send, exchange->receive, more);
    for (int rank = 0; rank < exchange->ranks; rank++) {
        exchange->cost->messages += round->send_sizes[rank] > 0;
        exchange->cost->bytes += (uint64_t)round->send_sizes[rank] * sizeof(uint32_t);
    }
    return any != 0;
}
