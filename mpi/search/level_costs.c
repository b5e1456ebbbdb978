/*
 * level_costs.c - see level_costs.h.
 */
#include "level_costs.h"
#include <string.h>

struct level_cost *level_costs_next(struct level_costs *costs)
{
    if (costs->count < LEVEL_COSTS) {
        costs->levels[costs->count++] = (struct level_cost){0};
    }
    return &costs->levels[costs->count - 1];
}

void level_costs_sum(MPI_Comm comm, struct level_costs *costs)
{
    struct level_cost sums[LEVEL_COSTS], most[LEVEL_COSTS];
    const int fields = (int)(costs->count * sizeof(*sums) / sizeof(uint64_t));
    memset(sums, 0, sizeof(sums)); /* only rank 0 gets them */
    memset(most, 0, sizeof(most));
    MPI_Reduce(costs->levels, sums, fields, MPI_UINT64_T, MPI_SUM, 0, comm);
    MPI_Reduce(costs->levels, most, fields, MPI_UINT64_T, MPI_MAX, 0, comm);
    for (size_t i = 0; i < costs->count; i++) {
        struct level_cost *own = &costs->levels[i];
        own->nodes = sums[i].nodes;
        own->edges = sums[i].edges;
        own->edges_max = most[i].edges;
        own->bytes = sums[i].bytes;
        own->bytes_max = most[i].bytes;
        own->messages = sums[i].messages;
    }
}
