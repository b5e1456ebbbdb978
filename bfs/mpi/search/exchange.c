/*
 * exchange.c - see exchange.h.
 */
#include "exchange.h"
#include <stdlib.h>
#include <string.h>

/* As numbers with a sign: MPICH 4.0 takes unsigned ones for such when it compares. */
void exchange_least(MPI_Comm comm, mpi_node *ids, size_t count)
{
    int64_t own[LEAST_MAX] = {0}, least[LEAST_MAX];
    pw_assert(count <= LEAST_MAX);
    for (size_t i = 0; i < count; i++) {
        own[i] = ids[i] == NODE_ID_NONE ? INT64_MAX : (int64_t)ids[i];
    }
    MPI_Allreduce(own, least, (int)count, MPI_INT64_T, MPI_MIN, comm);
    for (size_t i = 0; i < count; i++) {
        ids[i] = least[i] == INT64_MAX ? NODE_ID_NONE : (mpi_node)least[i];
    }
}

size_t exchange_room(int ranks)
{
    const size_t share = EXCHANGE_IDS / (size_t)ranks;
    return share > EXCHANGE_MOST ? EXCHANGE_MOST : share < EXCHANGE_LEAST ? EXCHANGE_LEAST : share;
}

bool exchange_open(struct exchange *exchange, const struct mpi_graph *graph, size_t lanes)
{
    const size_t ranks = (size_t)graph->partition.ranks;
    *exchange = (struct exchange){
        .graph = graph,
        .ranks = graph->partition.ranks,
        .rank = graph->partition.rank,
        .room = exchange_room(graph->partition.ranks),
        .lanes = lanes,
    };
    exchange->send = malloc(exchange->room * sizeof(*exchange->send));
    exchange->receive = malloc(ranks * exchange->room * sizeof(*exchange->receive));
    exchange->send_counts = calloc(ranks * (lanes + 1), sizeof(*exchange->send_counts));
    exchange->receive_counts = calloc(ranks * (lanes + 1), sizeof(*exchange->receive_counts));
    exchange->send_sizes = calloc(4 * ranks, sizeof(*exchange->send_sizes));
    exchange->fill = calloc(ranks * lanes, sizeof(*exchange->fill));
    if (exchange->send == NULL || exchange->receive == NULL || exchange->send_counts == NULL ||
        exchange->receive_counts == NULL || exchange->send_sizes == NULL ||
        exchange->fill == NULL) {
        exchange_close(exchange);
        return false;
    }
    exchange->send_starts = exchange->send_sizes + ranks;
    exchange->receive_sizes = exchange->send_sizes + 2 * ranks;
    exchange->receive_starts = exchange->send_sizes + 3 * ranks;
    return true;
}

void exchange_close(struct exchange *exchange)
{
    free(exchange->send);
    free(exchange->receive);
    free(exchange->send_counts);
    free(exchange->receive_counts);
    free(exchange->send_sizes);
    free(exchange->fill);
    memset(exchange, 0, sizeof(*exchange));
}

void exchange_begin(struct exchange *exchange)
{
    const size_t counts = (size_t)exchange->ranks * (exchange->lanes + 1);
    memset(exchange->send_counts, 0, counts * sizeof(*exchange->send_counts));
}

/* Sizes and starts per rank from the counts of its lanes. Returns the ids of all. */
static int sum_counts(const struct exchange *exchange, const uint32_t *counts, int *sizes,
                      int *starts)
{
    int all = 0;
    for (int rank = 0; rank < exchange->ranks; rank++) {
        starts[rank] = all;
        for (size_t lane = 0; lane < exchange->lanes; lane++) {
            all += (int)counts[(size_t)rank * (exchange->lanes + 1) + lane];
        }
        sizes[rank] = all - starts[rank];
    }
    return all;
}

void exchange_place(struct exchange *exchange)
{
    size_t at = 0;
    for (size_t rank = 0; rank < (size_t)exchange->ranks; rank++) {
        for (size_t lane = 0; lane < exchange->lanes; lane++) {
            exchange->fill[rank * exchange->lanes + lane] = at;
            at += exchange->send_counts[rank * (exchange->lanes + 1) + lane];
        }
    }
    pw_assert(at <= exchange->room);
}

bool exchange_run(struct exchange *exchange, enum exchange_wish wish)
{
    const int lanes = (int)exchange->lanes;
    MPI_Comm comm = exchange->graph->comm;
    uint32_t greatest = wish;
    if (exchange->ranks == 1) {
        exchange->receive_counts[0] = 0; /* a rank sends nothing to itself */
        return wish == EXCHANGE_MORE;
    }
    for (int rank = 0; rank < exchange->ranks; rank++) {
        exchange->send_counts[rank * (lanes + 1) + lanes] = wish;
    }
    MPI_Alltoall(exchange->send_counts, lanes + 1, MPI_UINT32_T, exchange->receive_counts,
                 lanes + 1, MPI_UINT32_T, comm);
    sum_counts(exchange, exchange->send_counts, exchange->send_sizes, exchange->send_starts);
    sum_counts(exchange, exchange->receive_counts, exchange->receive_sizes,
               exchange->receive_starts);
    for (int rank = 0; rank < exchange->ranks; rank++) {
        const uint32_t other = exchange->receive_counts[rank * (lanes + 1) + lanes];
        greatest = other > greatest ? other : greatest;
        exchange->traffic.messages += exchange->send_sizes[rank] > 0;
        exchange->traffic.bytes += (uint64_t)exchange->send_sizes[rank] * sizeof(mpi_node);
    }
    MPI_Alltoallv(exchange->send, exchange->send_sizes, exchange->send_starts, NODE_ID_TYPE,
                  exchange->receive, exchange->receive_sizes, exchange->receive_starts,
                  NODE_ID_TYPE, comm);
    return greatest == EXCHANGE_MORE;
}
